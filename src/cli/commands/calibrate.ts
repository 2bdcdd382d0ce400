import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { readRun } from '../../episodes/index.js';
import {
  type CalibrationOptions,
  calibrate,
  RewardFileError,
  type Rollout,
  renderCalibration,
  rolloutOf,
  TURN_POOLINGS,
} from '../../scoring/index.js';
import { describeError } from '../../shared/index.js';
import type { RegisterCommand } from '../program.js';
import { loadRewards } from '../running/load-rewards.js';
import type { Terminal } from '../terminal.js';

interface CalibrateOptions extends Required<Pick<CalibrationOptions, 'alpha' | 'delta' | 'eta' | 'lambda'>> {
  readonly rewards: string;
  readonly out?: string;
  readonly json?: true;
  readonly values: 'scaled' | 'magnitude';
  readonly contradictions: 'zero' | 'keep';
  readonly pooling: NonNullable<CalibrationOptions['pooling']>;
  readonly maxRounds: number;
  readonly seed: number;
}

function numberBetween(low: number, high: number, whole = false) {
  return (text: string): number => {
    const value = Number(text);
    if (text.trim() !== '' && value >= low && value <= high && (!whole || Number.isInteger(value)))
      return value;
    throw new InvalidArgumentError(`Expected a ${whole ? 'whole ' : ''}number from ${low} to ${high}.`);
  };
}

/** Rollouts of one run; what cannot be used is told, not dropped in silence. */
async function loadRollouts(run: string, terminal: Terminal): Promise<Rollout[]> {
  const { records, faults } = await readRun(resolve(terminal.cwd, run));
  for (const { file, line, problem } of faults)
    terminal.err(`${file}${line === null ? '' : `:${line}`}: ${problem}\n`);
  const rollouts = records.flatMap((record) => rolloutOf(record) ?? []);
  if (rollouts.length < records.length)
    terminal.err(
      `${run}: ${records.length - rollouts.length} of ${records.length} episodes have no outcome, or were broken off by the platform; left out\n`,
    );
  return rollouts;
}

async function runCalibration(
  runs: readonly string[],
  options: CalibrateOptions,
  terminal: Terminal,
): Promise<void> {
  const start = await loadRewards(options.rewards, terminal);
  const buffers: Rollout[][] = [];
  for (const run of runs) buffers.push(await loadRollouts(run, terminal));
  const { rewards: _rewards, out, json, ...numbers } = options;
  const calibration = calibrate(buffers, start, numbers);
  terminal.out(json === true ? `${JSON.stringify(calibration, null, 2)}\n` : renderCalibration(calibration));
  if (out === undefined) return;
  const path = resolve(terminal.cwd, out);
  try {
    await writeFile(path, `${JSON.stringify(calibration.rewards, null, 2)}\n`);
  } catch (cause) {
    throw new RewardFileError(`cannot write the reward file ${out}: ${describeError(cause)}`, { cause });
  }
  terminal.err(`rewards written to ${out}\n`);
}

/** `parlor calibrate`: which kinds of turns should be rewarded, by the episodes of finished runs. */
export const registerCalibrate: RegisterCommand = (program, terminal) => {
  program
    .command('calibrate')
    .description(
      'Measure which kinds of turns go with success in finished runs, and set the reward of each kind accordingly (iterative reward calibration).',
    )
    .argument('<run...>', 'run folders; with several, each is the fresh data of one round')
    .option('--rewards <name>', 'rewards to start from: v5, v6 or a reward file', 'v5')
    .option('--out <file>', 'write the calibrated rewards as a reward file')
    .option('--json', 'print rounds and rewards as one JSON object')
    .addOption(
      new Option('--values <how>', 'scaled: alpha * rho; magnitude: old size, sign of rho')
        .choices(['scaled', 'magnitude'])
        .default('scaled'),
    )
    .addOption(
      new Option('--contradictions <how>', "what to do with a value against its kind's intent")
        .choices(['zero', 'keep'])
        .default('zero'),
    )
    .addOption(
      new Option('--pooling <name>', 'which turns are compared in the sign check')
        .choices([...TURN_POOLINGS])
        .default('position'),
    )
    .option('--alpha <n>', 'reward per unit of correlation', numberBetween(0, 100), 1)
    .option('--delta <n>', 'correlations up to this are worth nothing', numberBetween(0, 1), 0.05)
    .option('--eta <n>', 'wanted correlation of mean turn reward with success', numberBetween(-1, 1), 0.3)
    .option('--lambda <n>', 'weight of the outcome in the sign check', numberBetween(0, 100), 0.3)
    .option('--max-rounds <n>', 'rounds at most', numberBetween(1, 1000, true), 10)
    .option('--seed <n>', 'of the resampling for the intervals', numberBetween(0, 0xffffffff, true), 0)
    .addHelpText(
      'after',
      '\nExample:\n  parlor calibrate runs/airline --rewards v5 --out rewards.json\n  parlor calibrate runs/airline --values magnitude',
    )
    .action((runs: string[], options: CalibrateOptions) => runCalibration(runs, options, terminal));
};
