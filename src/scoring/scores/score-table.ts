import type { Agreement } from '../judge/agreement.js';
import type { LabelStudy } from '../judge/label-study.js';
import { EPISODE_KINDS } from '../rewards/tarl.js';
import type { CoveredMean, ScoreSummary } from './score-summary.js';

function number(value: number | null, digits = 2): string {
  return value === null ? '–' : value.toFixed(digits);
}

function percent(value: number | null): string {
  return value === null ? '–' : `${(100 * value).toFixed(1)} %`;
}

function mean({ mean: value, covered }: CoveredMean, of: number): string {
  return `${number(value)}${covered === of ? '' : ` (over ${covered} of ${of})`}`;
}

/** Columns of text: the first to the left, all others to the right. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [place, cell] of row.entries()) widths[place] = Math.max(widths[place] ?? 0, cell.length);
  return rows.map((row) =>
    row
      .map((cell, place) =>
        place === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart((widths[place] ?? 0) + 2),
      )
      .join('')
      .trimEnd(),
  );
}

function labelLines({ rows, located, spared }: LabelStudy): string[] {
  const head = ['fault put in', 'episodes', 'right turn', 'earlier', 'later', 'none', 'missing'];
  const body = rows.map((row) => [
    row.kind,
    ...[row.episodes, row.sameTurn + row.bothNone, row.earlier, row.later + row.spurious, row.missed].map(
      String,
    ),
    String(row.missing),
  ]);
  return [
    '',
    'where the -1 fell, against the faults put in (a flawless episode is right without one)',
    ...columns([head, ...body]).map((line) => `  ${line}`),
    `  -1 on the turn of the fault: ${percent(located)} · flawless episodes without a -1: ${percent(spared)}`,
  ];
}

function agreementLines(name: string, found: Agreement): string[] {
  const { deviation: at } = found;
  const rows = found.classes.map((one) => [
    String(one.verdict),
    ...[one.reference, one.judged].map(String),
    percent(one.precision),
    percent(one.recall),
  ]);
  return [
    '',
    `agreement with ${name}: ${found.episodes} episodes, ${found.turns} turns, ${percent(found.observed)} equal, Cohen's kappa ${number(found.kappa)}`,
    ...columns([['verdict', 'theirs', 'ours', 'precision', 'recall'], ...rows]).map((line) => `  ${line}`),
    `  -1: same turn ${at.sameTurn}, earlier ${at.earlier}, later ${at.later}, only theirs ${at.missed}, only ours ${at.spurious}, neither ${at.bothNone}`,
    ...(found.uncovered === 0 ? [] : [`  ${found.uncovered} episodes are judged by one side only`]),
  ];
}

/** The scores of a run for the terminal, without a last line feed. */
export function renderScores(summary: ScoreSummary): string {
  const { scorer, verdicts } = summary;
  const missing = Object.entries(summary.missing).map(([reason, count]) => `${count} ${reason}`);
  const kinds = EPISODE_KINDS.map((kind) => [
    kind,
    String(summary.kinds[kind]),
    percent(summary.judged === 0 ? null : summary.kinds[kind] / summary.judged),
  ]);
  const tiers = summary.tiers.map((row) => [
    row.tier,
    ...[String(row.turns), percent(row.share), number(row.meanReward), number(row.meanAdvantage.mean, 3)],
  ]);
  const lines = [
    `judge ${scorer.judge.name} (version ${scorer.judge.version}) · reward form ${scorer.turnScale} · rewards ${scorer.rewards.name} · advantage ${scorer.advantage} · outcome ${scorer.outcome}`,
    `${summary.episodes} episodes, ${summary.judged} judged${missing.length === 0 ? '' : `, missing: ${missing.join(', ')}`}`,
    ...(summary.liveJudged === 0
      ? []
      : [
          `live-judged: in ${summary.liveJudged} a judge could break in before wrong actions; not comparable with other scores`,
        ]),
    '',
    `episode reward S  ${mean(summary.score, summary.episodes)}`,
    `outcome R         ${mean(summary.outcome, summary.episodes)}`,
    `verdicts          ${verdicts.right} right (1), ${verdicts.slip} slips or consequences (0), ${verdicts.deviation} deviations (-1), ${verdicts.turns - verdicts.right - verdicts.slip - verdicts.deviation} missing, of ${verdicts.turns} turns`,
    ...(summary.deadTurns === null ? [] : [`dead turns        ${percent(summary.deadTurns)}`]),
    '',
    ...columns([['kind', 'episodes', 'share'], ...kinds]).map((line) => `  ${line}`),
    '',
    ...columns([['tier', 'turns', 'share', 'reward', 'advantage'], ...tiers]).map((line) => `  ${line}`),
  ];
  if (summary.labels !== null) lines.push(...labelLines(summary.labels));
  if (summary.agreement !== null)
    lines.push(...agreementLines(summary.agreement.with, summary.agreement.figures));
  return lines.join('\n');
}
