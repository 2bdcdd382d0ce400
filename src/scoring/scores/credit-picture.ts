import type { EpisodeRecord } from '../../episodes/index.js';
import { type EpisodeTurn, turnsOf } from '../turns.js';
import type { ScoreLine, TurnScore } from './score-line.js';
import type { ScorerIdentity } from './scorer.js';

// Pixels. Widths of text are not measured: columns are wide enough for what `shorten` leaves.
const ROW = 26;
const HEAD = 92;
const FOOT = 16;
const TEXT_AT = 48;
const VERDICT_AT = 412;
const BARS_AT = 450;
const BAR_COLUMN = 196;
const HALF_BAR = 54;
const WIDTH = BARS_AT + 3 * BAR_COLUMN;
const TEXT_CHARACTERS = 52;

const INK = '#1f2933';
const FAINT = '#6b7783';
const GOOD = '#1b6ca8';
const BAD = '#c2500a';

interface Column {
  readonly title: string;
  readonly digits: number;
  readonly read: (turn: TurnScore) => number | null;
}

/** Control characters have no place in XML, and line ends none in a row. */
function plain(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to go
      .replace(/[\u0000-\u001f\u007f\ufffe\uffff]+/g, ' ')
      .replace(/\p{Surrogate}/gu, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  );
}

function shorten(text: string, most: number): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most - 1).join('')}…`;
}

function describe(turn: EpisodeTurn): string {
  if (turn.kind === 'message') return `“${turn.text}”`;
  const values = Object.values(turn.call.arguments).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  );
  return `${turn.call.name}(${values.join(', ')})`;
}

function signed(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return '0';
  return `${value > 0 ? '+' : '−'}${text}`;
}

/** `at`: anchor x; `y`: baseline. */
function label(text: string, place: { x: number; y: number }, attributes = ''): string {
  return `<text x="${place.x}" y="${place.y}"${attributes === '' ? '' : ` ${attributes}`}>${plain(text)}</text>`;
}

/** A bar to the right for what was earned, to the left for what was lost, its number at its end. */
function bar(value: number | null, most: number, place: { x: number; y: number; digits: number }): string {
  const { x, y, digits } = place;
  if (value === null) return label('–', { x, y: y + 4 }, `fill="${FAINT}" text-anchor="middle"`);
  const length = most === 0 ? 0 : Number(((Math.abs(value) / most) * HALF_BAR).toFixed(1));
  const isLoss = value < 0;
  const from = isLoss ? Number((x - length).toFixed(1)) : x;
  const end = isLoss ? from - 4 : Number((x + length + 4).toFixed(1));
  return [
    `<rect x="${from}" y="${y - 7}" width="${length}" height="14" fill="${isLoss ? BAD : GOOD}"/>`,
    label(signed(value, digits), { x: Number(end.toFixed(1)), y: y + 4 }, isLoss ? 'text-anchor="end"' : ''),
  ].join('');
}

function verdictMark(verdict: -1 | 0 | 1 | null, y: number): string {
  const colour = verdict === null || verdict === 0 ? FAINT : verdict === 1 ? GOOD : BAD;
  const text = verdict === null ? '–' : verdict === -1 ? '−1' : String(verdict);
  return label(text, { x: VERDICT_AT, y: y + 4 }, `fill="${colour}" font-weight="bold" text-anchor="middle"`);
}

/**
 * The credit that each turn of an episode got, as an SVG picture: verdict, what it adds to S, the reward of its tier and
 * its advantage. Each column has its own scale. The same scores give the same bytes.
 * @param record the record that `line` was made from
 */
export function renderCreditPicture(
  line: ScoreLine,
  record: EpisodeRecord,
  scorer: Pick<ScorerIdentity, 'advantage' | 'rewards' | 'turnScale'>,
): string {
  const columns: readonly Column[] = [
    { title: `share of S (${scorer.turnScale})`, digits: 2, read: (turn) => turn.verdictReward },
    {
      title: `tier reward (${shorten(scorer.rewards.name, 12)})`,
      digits: 2,
      read: (turn) => turn.tierReward,
    },
    { title: `advantage (${scorer.advantage})`, digits: 2, read: (turn) => turn.advantage },
  ];
  const turns = turnsOf(record);
  const height = HEAD + line.turns.length * ROW + FOOT;
  const outcome = line.outcome === null ? 'no outcome' : `R = ${line.outcome}`;
  const score = line.score === null ? 'no S' : `S = ${signed(line.score, 2)}`;
  const body = line.turns.flatMap((turn, index) => {
    const y = HEAD + index * ROW;
    const told = turns[index] === undefined ? '' : describe(turns[index]);
    return [
      `<g><title>${plain(`${told}\n${turn.reason ?? ''}`.slice(0, 2000))}</title>`,
      ...(index % 2 === 0
        ? [`<rect x="12" y="${y - ROW / 2}" width="${WIDTH - 24}" height="${ROW}" fill="#f4f6f8"/>`]
        : []),
      label(String(turn.turn), { x: 36, y: y + 4 }, `fill="${FAINT}" text-anchor="end"`),
      label(shorten(told, TEXT_CHARACTERS), { x: TEXT_AT, y: y + 4 }),
      verdictMark(turn.verdict, y),
      ...columns.map(({ digits, read }, column) => {
        const most = Math.max(0, ...line.turns.map((each) => Math.abs(read(each) ?? 0)));
        return bar(read(turn), most, { x: BARS_AT + (column + 0.5) * BAR_COLUMN, y, digits });
      }),
      '</g>',
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="${INK}" role="img">`,
    `<title>${plain(`Credit of each turn of ${line.episode}`)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    label(
      `${shorten(line.episode, 80)}: ${outcome}, ${score}, ${line.kind ?? 'not judged'}`,
      { x: 16, y: 28 },
      'font-size="15" font-weight="bold"',
    ),
    label('turn', { x: 36, y: 66 }, `fill="${FAINT}" text-anchor="end"`),
    label('the agent', { x: TEXT_AT, y: 66 }, `fill="${FAINT}"`),
    label('verdict', { x: VERDICT_AT, y: 66 }, `fill="${FAINT}" text-anchor="middle"`),
    ...columns.map(({ title }, column) =>
      label(
        title,
        { x: BARS_AT + (column + 0.5) * BAR_COLUMN, y: 66 },
        `fill="${FAINT}" text-anchor="middle"`,
      ),
    ),
    ...body,
    ...columns.map((_, column) => {
      const x = BARS_AT + (column + 0.5) * BAR_COLUMN;
      return `<line x1="${x}" x2="${x}" y1="${HEAD - ROW / 2}" y2="${height - FOOT - ROW / 2}" stroke="${INK}" stroke-width="1"/>`;
    }),
    '</svg>\n',
  ].join('\n');
}
