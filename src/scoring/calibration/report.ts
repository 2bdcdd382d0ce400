import type { Tier } from '../rewards/tier.js';
import type { CalibratedTier, Calibration, CalibrationRound, TableCheck } from './calibrate.js';
import type { Decision } from './decide.js';

function percent(share: number | null): string {
  return share === null ? '–' : `${(100 * share).toFixed(1)} %`;
}

function signed(value: number | null, digits = 2): string {
  if (value === null) return '–';
  const text = value.toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : value > 0 ? `+${text}` : text;
}

function rhoCell({ rho, interval }: CalibratedTier): string {
  if (rho === null) return 'no evidence';
  return `${signed(rho)}${interval === null ? '' : ` [${signed(interval.low)}, ${signed(interval.high)}]`}`;
}

const SIGNS = ['minus', 'zero', 'plus'] as const;

function flipCell({ flips, borderline, oldValue, newValue }: CalibratedTier): string {
  const sign = (value: number): string => SIGNS[Math.sign(value) + 1] ?? 'zero';
  return `${flips ? `${sign(oldValue)} to ${sign(newValue)}` : ''}${borderline ? ' ?' : ''}`.trim();
}

const WHY: Readonly<Record<Decision, string>> = {
  kept: 'kept, no evidence',
  scaled: 'alpha * rho',
  sign: 'sign of rho',
  weak: 'too weak: 0',
  contradiction: 'against its intent: 0',
  held: 'pointed the wrong way: 0',
};

function advantageCell(check: TableCheck, tier: Tier): string {
  return `${signed(check.meanAdvantage[tier])}${check.misaligned.includes(tier) ? ' !' : ''}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [line(head), widths.map((width) => '─'.repeat(width)).join('  '), ...rows.map(line)];
}

function checkLine(name: string, check: TableCheck): string {
  const wrong = check.misaligned.length === 0 ? 'no tier' : check.misaligned.join(', ');
  return `${name}: points the wrong way: ${wrong}; corr(mean turn reward, success) ${signed(check.correlation)}; dead turns ${percent(check.deadTurns)}`;
}

function roundLines(round: CalibrationRound): string[] {
  const rows = round.tiers.map((tier) => [
    tier.tier,
    String(tier.turns),
    percent(tier.passing),
    percent(tier.failing),
    rhoCell(tier),
    signed(tier.oldValue),
    signed(tier.newValue),
    flipCell(tier),
    advantageCell(round.before, tier.tier),
    advantageCell(round.after, tier.tier),
    WHY[tier.decision],
  ]);
  const head = [
    'tier',
    'turns',
    'passing',
    'failing',
    'rho [95 %]',
    'old',
    'new',
    'flips',
    'A old',
    'A new',
    'why',
  ];
  return [
    `Round ${round.round}: ${round.episodes} episodes of ${round.tasks} tasks, ${round.passing} passed`,
    ...table(head, rows),
    checkLine('before', round.before),
    checkLine('after', round.after),
    '',
  ];
}

const ENDINGS: Readonly<Record<Calibration['stopped'], string>> = {
  aligned: 'Done: no tier points the wrong way, and turn rewards follow success.',
  settled:
    'Settled: another round on these episodes changes nothing. A tier marked ! has the right reward and the wrong mean advantage: look at lambda and pooling. No tier marked !: turn rewards follow success less than eta asks; collect fresh episodes, or ask for less.',
  'round-limit': 'Stopped at the round limit; the values were still changing.',
};

const LEGEND =
  'passing, failing: share of such episodes in which the tier occurs. rho: point-biserial correlation with success, interval over tasks. A: mean of A^I + lambda * A^O; ! points the wrong way. ?: the interval reaches over the threshold, more episodes may decide otherwise.';

/** The rounds as a person reads them. */
export function renderCalibration(calibration: Calibration): string {
  return [...calibration.rounds.flatMap(roundLines), ENDINGS[calibration.stopped], LEGEND, ''].join('\n');
}
