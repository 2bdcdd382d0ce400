import { availableParallelism } from 'node:os';
import { type Command, Option } from 'commander';
import { SCORE_ADVANTAGES } from '../../scoring/index.js';
import { UsageError } from '../../shared/index.js';
import { share, wholeNumber } from '../number-option.js';
import { maxTurnsOption } from '../running/max-turns-option.js';
import { MAX_TASKS } from './check-size.js';

/** What a schedule says by itself. */
const SCHEDULED = ['tasks', 'group', 'mode', 'speechShare', 'pairs'] as const;

/** @throws UsageError for flags that a schedule decides, or that need one */
export function checkScheduleFlags(command: Command): void {
  const given = (name: string): boolean => command.getOptionValueSource(name) === 'cli';
  const flag = (name: string): string =>
    `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (command.getOptionValue('schedule') === undefined) {
    const stray = ['steps', 'rewrite', 'rewriteModel', 'rewriteBaseUrl'].find(given);
    if (stray !== undefined) throw new UsageError('bad-option', `${flag(stray)} goes with --schedule only`);
    return;
  }
  const clash = SCHEDULED.find(given);
  if (clash !== undefined)
    throw new UsageError('bad-option', `${flag(clash)} is for the schedule to say: set it in its file`);
}

function addScheduleOptions(command: Command): Command {
  return command
    .option(
      '--schedule <file>',
      'follow a curriculum (docs/training.md); "tarl": the recipe of the TARL paper, as "parlor curriculum show" has it',
    )
    .option(
      '--steps <n>',
      'only the first n steps of the schedule',
      wholeNumber('--steps', { min: 1, max: 1_000_000 }),
    )
    .addOption(
      new Option('--rewrite <how>', 'who makes instructions harder, with --schedule').choices([
        'rules',
        'model',
      ]),
    )
    .option('--rewrite-base-url <url>', 'server of the model that rewrites (default: that of --base-url)')
    .option('--rewrite-model <name>', 'the model that rewrites (default: that of --model)')
    .option('--record <folder>', 'keep every exchange with a model there, without keys and audio')
    .option('--replay <folder>', 'ask no server: say again what was recorded there');
}

/** Flags that say what is played. */
export function addPlayOptions(command: Command): Command {
  return addScheduleOptions(command)
    .option('--tasks <n>', 'training tasks to make', wholeNumber('--tasks', { min: 1, max: MAX_TASKS }), 32)
    .option(
      '--group <n>',
      'rollouts of each task, with the same customer',
      wholeNumber('--group', { min: 1, max: 1000 }),
      4,
    )
    .addOption(
      new Option('--mode <mode>', 's&t: speech and text users; t-only: text users; both: a dataset of each')
        .choices(['s&t', 't-only', 'both'])
        .default('s&t'),
    )
    .option(
      '--speech-share <share>',
      'share of the tasks of S&T that are spoken',
      share('--speech-share'),
      0.5,
    )
    .option('--pairs', 'every spoken task also as text, with the same seed and customer script')
    .option('--agent <name>', 'who plays', 'oracle')
    .option(
      '--faults <share>',
      'chance of a seeded fault in an episode of the reference agent',
      share('--faults'),
      0.4,
    )
    .option(
      '--seed <n>',
      'decides tasks, customers, voices and faults',
      wholeNumber('--seed', { min: 0, max: 0xffffffff }),
      1,
    )
    .addOption(maxTurnsOption('is the default'))
    .option(
      '--concurrency <n>',
      'episodes at the same time; changes no result',
      wholeNumber('--concurrency', { min: 1, max: 256 }),
      Math.max(2, 2 * availableParallelism()),
    )
    .addOption(
      new Option('--advantage <name>', 'see "parlor score"').choices([...SCORE_ADVANTAGES]).default('grpo'),
    )
    .addOption(
      new Option('--reward-form <form>', 'scale of the turn part of the TARL episode reward')
        .choices(['5/T', '1/T'])
        .default('5/T'),
    );
}
