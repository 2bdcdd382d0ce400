import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { createPlan, type RunManifest, readManifest, resumeRun, startRun } from '../../evaluation/index.js';
import type { OutcomeRule } from '../../retail/index.js';
import { UsageError } from '../../shared/index.js';
import { createScriptedCustomers } from '../../user/index.js';
import { oneOf, share, wholeNumber } from '../number-option.js';
import { ExitError, type RegisterCommand } from '../program.js';
import { type BuiltRun, buildRun } from '../running/build-run.js';
import { finishRun, keepMaterial } from '../running/finish-run.js';
import { type PlayOptions, playRun } from '../running/play-run.js';
import {
  DEFAULT_MAX_TURNS,
  DEFAULT_SEED,
  DEFAULT_TASKS,
  DEFAULT_TRIALS,
  DEMO_FAULTS,
  type RunFlags,
  settingsForResume,
  settingsFromFlags,
} from '../running/run-settings.js';
import { type OpenSpeech, openSpeech } from '../running/speech.js';
import type { Terminal } from '../terminal.js';

interface RunOptions extends RunFlags {
  readonly out?: string;
  readonly resume?: string;
  readonly concurrency: number;
  readonly port: number;
  readonly report: boolean;
  readonly json?: true;
}

const MODES = ['speech', 'text', 'both'] as const;
const RULES: readonly OutcomeRule[] = ['tarl', 'tau', 'tau2'];
const EXIT_INCOMPLETE = 1;
const EXIT_INTERRUPTED = 130;

const EXAMPLES = `
Examples:
  $ parlor run                                        built-in tasks, spoken; a reference agent with seeded faults
  $ parlor run --mode text --tasks 50 --trials 1      fifty built-in tasks, no audio
  $ parlor run --data DIR --split test --agent oracle the tasks of a tau2-bench or tau-bench folder
  $ parlor run --tasks 17,                            one task by its id (the comma tells it from a number of tasks)
  $ parlor run --resume runs/parlor-speech-oracle-1   go on with a run that was interrupted

The agent "oracle" is a reference that knows the right answers, not a model. Exit codes: 0 done, 1 some episodes
are invalid or were not run, 2 wrong usage, 130 interrupted.`;

/** The first of runs/<name>-1, -2 … that does not exist. */
function freshFolder(cwd: string, { domain, modes, agent }: RunManifest): string {
  const name = `${domain.source}-${modes.join('-')}-${agent.name}`;
  const folderOf = (number: number): string => join(cwd, 'runs', `${name}-${number}`);
  let number = 1;
  while (existsSync(folderOf(number))) number += 1;
  return folderOf(number);
}

/** Plays what is left and sums up. @throws ExitError when the run is not complete in the end. */
async function play(
  built: BuiltRun,
  folder: string,
  options: Omit<PlayOptions, 'name'> & RunOptions,
): Promise<void> {
  const { terminal, resume, json, report } = options;
  const { manifest, domain } = built;
  const open =
    resume === undefined
      ? await startRun(folder, manifest, createPlan(manifest))
      : await resumeRun(folder, manifest);
  await keepMaterial(open.folder, domain);
  const shown = relative(terminal.cwd, folder);
  const name = shown === '' || shown.startsWith('..') ? folder : shown;
  const played = await playRun(built, open, { ...options, name });
  if (played.interrupted && played.notRun > 0) {
    terminal.err(
      `parlor: stopped; ${played.notRun} episodes are left. Go on with: parlor run --resume ${name}\n`,
    );
    throw new ExitError(EXIT_INTERRUPTED);
  }
  const complete = await finishRun(folder, terminal, { json: json === true, report, name });
  if (!complete) throw new ExitError(EXIT_INCOMPLETE);
}

async function run(flags: RunOptions, terminal: Terminal): Promise<void> {
  if (flags.out !== undefined && flags.resume !== undefined)
    throw new UsageError(
      'bad-option',
      '--out is for a new run and --resume for an old one; give one of them',
    );
  const { cwd, env } = terminal;
  const resumed = flags.resume === undefined ? null : resolve(cwd, flags.resume);
  const settings =
    resumed === null ? settingsFromFlags(flags) : settingsForResume(await readManifest(resumed), flags);
  const speech: OpenSpeech[] = [];
  try {
    const built = await buildRun(settings, {
      cwd,
      customers: createScriptedCustomers(),
      openSpeech: async () => {
        const opened = await openSpeech(env, availableParallelism());
        speech.push(opened);
        return opened.description;
      },
    });
    const folder =
      resumed ?? (flags.out === undefined ? freshFolder(cwd, built.manifest) : resolve(cwd, flags.out));
    await play(built, folder, { ...flags, terminal, speaker: speech[0]?.speaker ?? null });
  } finally {
    for (const { speaker } of speech) await speaker.close();
  }
}

/** `parlor run`: tasks × trials, played, verified and summed up. */
export const registerRun: RegisterCommand = (program: Command, terminal: Terminal) => {
  program
    .command('run')
    .description(
      'Run an evaluation: customers speak, an agent acts, every episode is verified; ends with a table.',
    )
    .option('--data <folder>', 'a tau2-bench or tau-bench retail folder (default: the built-in world)')
    .option('--split <name>', 'only tasks of this split (default: "test", where there is one)')
    .option(
      '--tasks <n|ids>',
      `how many tasks, or ids separated by commas (default: all of --data, ${DEFAULT_TASKS} built-in ones)`,
    )
    .option(
      '--trials <n>',
      `episodes of each task (default: ${DEFAULT_TRIALS})`,
      wholeNumber('--trials', { min: 1, max: 1000 }),
    )
    .option('--mode <mode>', 'speech, text or both (default: speech)', oneOf('--mode', MODES))
    .option('--agent <name>', `who plays (default: oracle, with --faults ${DEMO_FAULTS})`)
    .option(
      '--faults <share>',
      'chance of a seeded fault in an episode of the reference agent',
      share('--faults'),
    )
    .option(
      '--seed <n>',
      `decides customers, voices and faults (default: ${DEFAULT_SEED})`,
      wholeNumber('--seed', { min: 0, max: 0xffffffff }),
    )
    .option(
      '--outcome-rule <rule>',
      'tarl, tau or tau2 (default: tau for tau-bench data, else tau2)',
      oneOf('--outcome-rule', RULES),
    )
    .option(
      '--max-turns <n>',
      `agent actions after which an episode ends (default: ${DEFAULT_MAX_TURNS})`,
      wholeNumber('--max-turns', { min: 1, max: 1000 }),
    )
    .option('--out <folder>', 'where the run goes (default: a new folder in runs/)')
    .option('--resume <folder>', 'go on with this run; its own settings are kept')
    .option(
      '--concurrency <n>',
      'episodes at the same time; changes no result',
      wholeNumber('--concurrency', { min: 1, max: 256 }),
      Math.max(2, 2 * availableParallelism()),
    )
    .option(
      '--port <n>',
      'port of the sandbox; 0: any free one',
      wholeNumber('--port', { min: 0, max: 65535 }),
      0,
    )
    .option('--no-report', 'write no report.html')
    .option('--json', 'print one JSON document instead of the table')
    .addHelpText('after', EXAMPLES)
    .action((flags: RunOptions) => run(flags, terminal));
};
