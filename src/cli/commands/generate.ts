import { mkdir, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Mode } from '../../protocol/index.js';
import { formatTasks, generateTrainingTasks } from '../../retail/index.js';
import { SCORE_ADVANTAGES, type ScoreAdvantage, type Scorer } from '../../scoring/index.js';
import { UsageError } from '../../shared/index.js';
import { addExportOptions } from '../exporting/export-options.js';
import { addFilterOptions } from '../exporting/filter-options.js';
import { type ExportFlags, exportInputs, formatsFrom } from '../exporting/run-export.js';
import { addTokenOptions } from '../exporting/token-options.js';
import { type PlayFlags, playTraining, trainingDomain } from '../generating/play-training.js';
import { scoreTraining } from '../generating/score-training.js';
import { planTraining, type TrainingMode } from '../generating/training-mode.js';
import { addAgentOptions, addServerOptions, addUserOptions } from '../models/model-flags.js';
import { share, wholeNumber } from '../number-option.js';
import type { RegisterCommand } from '../program.js';
import type { Terminal } from '../terminal.js';
import { writeAtomically } from '../write-atomically.js';

interface GenerateFlags extends PlayFlags, Omit<ExportFlags, 'purpose' | 'mode' | 'maxTurns'> {
  readonly tasks: number;
  readonly mode: TrainingMode;
  readonly speechShare: number;
  readonly pairs?: true;
  readonly advantage: ScoreAdvantage;
  readonly rewardForm: Scorer['turnScale'];
}

const EXAMPLES = `
Examples:
  $ parlor generate --out data/first                      32 tasks x 4 rollouts of a reference agent, S&T
  $ parlor generate --mode both --tasks 64 --format all --out data/both
  $ parlor generate --agent openai --base-url http://localhost:8000/v1 --model Qwen/Qwen2.5-Omni-7B --token-ids --out data/q

One batch of the papers is 32 tasks x 4 rollouts. Interrupted, it goes on when the same command is given again.`;

/** The tasks of an earlier start, or new ones; they must be the same. */
async function makeTasks(path: string, { tasks: count, seed }: GenerateFlags) {
  const tasks = generateTrainingTasks({ count, seed });
  const text = formatTasks(tasks);
  const before = await readFile(path, 'utf8').catch(() => null);
  if (before === null) await writeAtomically(path, text);
  else if (before !== text)
    throw new UsageError(
      'dataset-folder',
      `${path} holds other tasks: the folder was begun with another --tasks, --seed or version; give another --out`,
    );
  return tasks;
}

async function generate(flags: GenerateFlags, terminal: Terminal): Promise<void> {
  // Before hours of episodes, not after them.
  formatsFrom(flags.format);
  const out = isAbsolute(flags.out) ? flags.out : resolve(terminal.cwd, flags.out);
  const shown = relative(terminal.cwd, out);
  const label = shown.startsWith('..') || shown === '' ? out : shown;
  await mkdir(out, { recursive: true });
  const tasks = await makeTasks(join(out, 'tasks.jsonl'), flags);
  const plan = planTraining(
    tasks.map(({ id }) => id),
    { mode: flags.mode, speechShare: flags.speechShare, pairs: flags.pairs === true, seed: flags.seed },
  );
  const domain = trainingDomain(tasks);
  const modes = (['speech', 'text'] as const).filter((mode) => plan.play[mode].length > 0);
  const dirOf = (mode: Mode): string => join(out, 'runs', mode);
  for (const mode of modes) {
    const run = { mode, tasks: plan.play[mode], dir: dirOf(mode), name: join(label, 'runs', mode) };
    await mkdir(join(out, 'runs'), { recursive: true });
    await playTraining(run, domain, { flags, terminal });
  }
  const { files, scores, calibration } = await scoreTraining(modes.map(dirOf), {
    ...{ advantage: flags.advantage, turnScale: flags.rewardForm, seed: flags.seed },
  });
  const judged = scores.flatMap(({ lines }) => lines);
  terminal.err(
    `parlor: ${judged.length} episodes judged, ${judged.filter(({ outcome }) => outcome === 1).length} passed; ${calibration === null ? 'too little to calibrate rewards, v6 as it stands' : `rewards calibrated in ${calibration.rounds.length} rounds`}\n`,
  );
  for (const [name, chosen] of plan.datasets) {
    const inputs = modes.flatMap((mode, place) =>
      chosen[mode].length === 0
        ? []
        : [
            {
              ...{ dir: dirOf(mode), label: join(label, 'runs', mode), scores: files[place] ?? null },
              ...{ otherScores: null, tasks: new Set(chosen[mode]) },
            },
          ],
    );
    terminal.err(`parlor: writing ${join(label, name)}\n`);
    const { mode: _mode, maxTurns: _maxTurns, ...rest } = flags;
    await exportInputs(inputs, { ...rest, purpose: 'train', out: join(out, name) }, terminal);
  }
}

function addPlayOptions(command: Command): Command {
  return command
    .option('--tasks <n>', 'training tasks to make', wholeNumber('--tasks', { min: 1, max: 100_000 }), 32)
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
    .option(
      '--max-turns <n>',
      'agent actions after which an episode ends',
      wholeNumber('--max-turns', { min: 1, max: 1000 }),
      30,
    )
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

/** `parlor generate`: training data from nothing: tasks, rollouts, judgements, calibrated rewards, files. */
export const registerGenerate: RegisterCommand = (program, terminal) => {
  const command = program
    .command('generate')
    .description(
      'Make training data in one go: tasks, rollouts, verdicts, calibrated rewards, files with a card.',
    );
  addPlayOptions(command);
  addExportOptions(command);
  addTokenOptions(addFilterOptions(command, { isExport: false }));
  addUserOptions(addAgentOptions(addServerOptions(command)));
  command.addHelpText('after', EXAMPLES).action((flags: GenerateFlags) => generate(flags, terminal));
};
