import { mkdir, readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { createModelRewriter, createRuleRewriter, type Rewriter, sizeOf } from '../../dataset/index.js';
import { formatTasks, generateTrainingTasks } from '../../retail/index.js';
import type { ScoreAdvantage, Scorer } from '../../scoring/index.js';
import { UsageError } from '../../shared/index.js';
import { addExportOptions } from '../exporting/export-options.js';
import { addFilterOptions } from '../exporting/filter-options.js';
import { coderFrom, type ExportFlags, exportInputs, formatsFrom } from '../exporting/run-export.js';
import { addTokenOptions } from '../exporting/token-options.js';
import { checkPlayedSize } from '../generating/check-size.js';
import { makeCurriculum } from '../generating/make-curriculum.js';
import { type PlannedRuns, runFolder, runsOfCurriculum, runsOfModes } from '../generating/plan-runs.js';
import { addPlayOptions, checkScheduleFlags } from '../generating/play-options.js';
import { type PlayFlags, playTraining } from '../generating/play-training.js';
import { readSchedule } from '../generating/read-schedule.js';
import { scoreTraining } from '../generating/score-training.js';
import type { TrainingMode } from '../generating/training-mode.js';
import { addAgentOptions, addServerOptions, addUserOptions } from '../models/model-flags.js';
import { openModels } from '../models/open-models.js';
import type { RegisterCommand } from '../program.js';
import type { Terminal } from '../terminal.js';
import { writeAtomically } from '../write-atomically.js';

interface GenerateFlags extends PlayFlags, Omit<ExportFlags, 'purpose' | 'mode' | 'maxTurns'> {
  readonly schedule?: string;
  readonly steps?: number;
  readonly rewrite?: 'rules' | 'model';
  readonly rewriteBaseUrl?: string;
  readonly rewriteModel?: string;
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
  $ parlor generate --schedule tarl --steps 12 --out data/mixed     a curriculum: warm-up, then maths, text and speech
  $ parlor generate --agent openai --base-url http://localhost:8000/v1 --model Qwen/Qwen2.5-Omni-7B --token-ids --out data/q

One batch of the papers is 32 tasks x 4 rollouts. Interrupted, it goes on when the same command is given again.`;

/** The tasks of an earlier start, or new ones, which `keep` writes; they must be the same. */
async function makeTasks(path: string, { tasks: count, seed }: GenerateFlags) {
  const tasks = generateTrainingTasks({ count, seed });
  const text = formatTasks(tasks);
  const before = await readFile(path, 'utf8').catch(() => null);
  if (before !== null && before !== text)
    throw new UsageError(
      'dataset-folder',
      `${path} holds other tasks: the folder was begun with another --tasks, --seed or version; give another --out`,
    );
  const keep = async (): Promise<void> => {
    await mkdir(dirname(path), { recursive: true });
    await writeAtomically(path, text);
  };
  return { tasks, keep };
}

function rewriterOf(flags: GenerateFlags, terminal: Terminal): Rewriter {
  if (flags.rewrite !== 'model') return createRuleRewriter(flags.seed);
  const chat = openModels(terminal).open('rewriter', {
    ...{ timeout: flags.timeout, retries: flags.retries, maxRequests: flags.maxRequests },
    ...{ record: flags.record, replay: flags.replay, server: flags.server, apiKeyEnv: flags.apiKeyEnv },
    baseUrl: flags.rewriteBaseUrl ?? flags.baseUrl,
    model: flags.rewriteModel ?? flags.model,
  });
  return createModelRewriter(chat, flags.seed);
}

interface Prepared extends PlannedRuns {
  readonly group: number;
  /** Writes what is to be played, when it is known that it can be. */
  readonly keep: () => Promise<void>;
}

/** A curriculum is kept at once: a model's rewrites have cost something. */
async function prepare(out: string, flags: GenerateFlags, terminal: Terminal): Promise<Prepared> {
  if (flags.schedule === undefined) {
    const size = { tasks: flags.tasks, episodes: flags.tasks * flags.group };
    checkPlayedSize(size, 'Give a smaller --tasks or --group');
    const { tasks, keep } = await makeTasks(join(out, 'tasks.jsonl'), flags);
    const { mode, speechShare, pairs, seed, group } = flags;
    return { ...runsOfModes(tasks, { mode, speechShare, pairs: pairs === true, seed }), group, keep };
  }
  const schedule = await readSchedule(flags.schedule, terminal);
  const steps = flags.steps ?? null;
  checkPlayedSize(
    sizeOf(schedule, steps),
    'Take fewer steps with --steps, or make the batch of the schedule smaller',
  );
  const curriculum = await makeCurriculum(out, {
    ...{ schedule, steps, seed: flags.seed },
    rewriter: rewriterOf(flags, terminal),
  });
  const rewrites = Object.entries(curriculum.rewrites).map(([by, count]) => `${count} by ${by}`);
  terminal.err(
    `parlor: ${curriculum.places.length} tasks in ${curriculum.places.at(-1)?.step ?? 0} steps; ${rewrites.length === 0 ? 'none made harder' : `made harder: ${rewrites.join(', ')}`}\n`,
  );
  return { ...runsOfCurriculum(curriculum), group: schedule.batch.rollouts, keep: async () => undefined };
}

async function generate(flags: GenerateFlags, terminal: Terminal): Promise<void> {
  // Before hours of episodes, not after them.
  formatsFrom(flags.format);
  await coderFrom(flags, terminal);
  const out = isAbsolute(flags.out) ? flags.out : resolve(terminal.cwd, flags.out);
  const shown = relative(terminal.cwd, out);
  const label = shown.startsWith('..') || shown === '' ? out : shown;
  const { runs, datasets, group, keep } = await prepare(out, flags, terminal);
  for (const run of runs)
    await playTraining(
      { ...run, dir: runFolder(out, run), name: runFolder(label, run) },
      { flags: { ...flags, group }, terminal, onReady: keep },
    );
  const { files, scores, calibration } = await scoreTraining(
    runs.map((run) => runFolder(out, run)),
    { advantage: flags.advantage, turnScale: flags.rewardForm, seed: flags.seed },
  );
  const judged = scores.flatMap(({ lines }) => lines);
  terminal.err(
    `parlor: ${judged.length} episodes judged, ${judged.filter(({ outcome }) => outcome === 1).length} passed; ${calibration === null ? 'too little to calibrate rewards, v6 as it stands' : `rewards calibrated in ${calibration.rounds.length} rounds`}\n`,
  );
  for (const [name, chosen] of datasets) {
    const inputs = runs.flatMap((run, place) => {
      const tasks = chosen.get(run.name) ?? [];
      const facts = { dir: runFolder(out, run), label: runFolder(label, run), otherScores: null };
      return tasks.length === 0 ? [] : [{ ...facts, scores: files[place] ?? null, tasks: new Set(tasks) }];
    });
    terminal.err(`parlor: writing ${join(label, name)}\n`);
    const { mode: _mode, maxTurns: _maxTurns, ...rest } = flags;
    await exportInputs(inputs, { ...rest, purpose: 'train', out: join(out, name) }, terminal);
  }
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
  command.addHelpText('after', EXAMPLES).action((flags: GenerateFlags, given: Command) => {
    checkScheduleFlags(given);
    return generate(flags, terminal);
  });
};
