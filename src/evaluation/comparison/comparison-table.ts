import { type Estimate, RESAMPLES } from '../metrics/interval.js';
import type { ComparedRun, Comparison } from './compare-runs.js';

const percent = (value: number | null): string => (value === null ? '–' : (100 * value).toFixed(1));

function points(value: number | null): string {
  if (value === null) return '–';
  const text = (100 * value).toFixed(1);
  return value > 0 ? `+${text}` : text;
}

function interval({ low, high }: Estimate, show: (value: number | null) => string): string {
  return low === null || high === null ? '–' : `${show(low).padStart(6)} – ${show(high).padStart(6)}`;
}

/** The 95 % interval leaves no doubt about the sign, or it does. */
function verdict({ low, high }: Estimate): string {
  if (low === null || high === null) return '';
  return low > 0 ? 'better' : high < 0 ? 'worse' : 'open';
}

function runLine(k: number, width: number, run: ComparedRun): string {
  const { name, pass, difference, tasks, invalid } = run;
  const own = `  ${String(k).padEnd(3)}${name.padEnd(width)}${percent(pass.mean).padStart(7)}  ${interval(pass, percent).padEnd(17)}`;
  const against =
    difference === null || tasks === null
      ? '   –'
      : `${points(difference.mean).padStart(7)}  ${interval(difference, points).padEnd(17)}  ${verdict(difference).padEnd(8)}` +
        `${tasks.better} / ${tasks.worse} / ${tasks.same}`;
  return `${own}${against}${invalid > 0 ? `   (${invalid} episodes invalid)` : ''}`;
}

/** The comparison for the terminal, without a last line feed. */
export function renderComparison({ modes, differences, sameSeed }: Comparison): string {
  const first = modes[0]?.rows[0]?.runs ?? [];
  const width = Math.max(6, ...first.map(({ name }) => name.length)) + 2;
  const lines = [
    ...first.map(({ name, agent }) => `${name.padEnd(width)}agent ${agent}`),
    ...modes.flatMap(({ mode, sharedTasks, otherTasks, rows }) => [
      '',
      `${mode}  ${sharedTasks} tasks that all runs have${otherTasks === 0 ? '' : `; ${otherTasks} others are left out`}`,
      `  ${'k'.padEnd(3)}${'run'.padEnd(width)}${'pass^k'.padStart(7)}  ${'95 %'.padEnd(17)}${'differs'.padStart(7)}  ${'95 %'.padEnd(17)}  ${'so it is'.padEnd(8)}tasks better / worse / same`,
      ...rows.flatMap(({ k, runs }) => {
        const covered = runs[0]?.pass.tasks ?? 0;
        return [
          ...runs.map((run) => runLine(k, width, run)),
          ...(covered < sharedTasks ? [`     ${covered} tasks have ${k} valid trials in all runs`] : []),
        ];
      }),
    ]),
    '',
    ...differences.map(({ text }) => `note  by request, ${text}: the difference is not the agent's alone`),
    ...(sameSeed ? [] : ['note  seeds differ: the same tasks, but customers with other words and voices']),
    `Percent and points against ${first[0]?.name ?? 'the first run'}, paired by task. 95 % over tasks: Bayesian bootstrap, ${RESAMPLES.toLocaleString('en')} resamples;`,
    'half a made-up task in favour of each side takes part. "open": with these tasks either may be the better one.',
  ];
  return lines.join('\n');
}
