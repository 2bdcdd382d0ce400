import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { createPlan, type RunManifest, readManifest, resumeRun, startRun } from '../../evaluation/index.js';
import { describeAgentMaterial } from '../../sandbox/index.js';
import { UsageError } from '../../shared/index.js';
import { pickAgentFlags } from '../models/model-flags.js';
import { openModels } from '../models/open-models.js';
import { openTranscriber } from '../models/phone-flags.js';
import { preflight, type RunSize } from '../models/preflight.js';
import { ExitError, type RegisterCommand } from '../program.js';
import { type BuiltRun, buildRun } from '../running/build-run.js';
import { createCustomers } from '../running/customers.js';
import { finishRun, keepMaterial } from '../running/finish-run.js';
import { type PlayOptions, playRun } from '../running/play-run.js';
import { openRunLine } from '../running/run-line.js';
import { addRunOptions, type RunOptions } from '../running/run-options.js';
import { resumedFlags, settingsForResume, settingsFromFlags } from '../running/run-settings.js';
import { type OpenSpeech, openSpeech, speakAsAgent } from '../running/speech.js';
import { checkStreamingVoices, checkStreamSpeech } from '../running/stream-speech.js';
import { whileClaimed } from '../running/while-claimed.js';
import type { Terminal } from '../terminal.js';

const EXIT_INCOMPLETE = 1;
const EXIT_INTERRUPTED = 130;

const EXAMPLES = `
Examples:
  $ parlor run                                        built-in tasks, spoken; a reference agent with seeded faults
  $ parlor run --mode text --tasks 50 --trials 1      fifty built-in tasks, no audio
  $ parlor run --data DIR --split test --agent oracle the tasks of a tau2-bench or tau-bench folder
  $ parlor run --tasks 17,                            one task by its id (the comma tells it from a number of tasks)
  $ parlor run --conditions regular --tasks 4         a telephone in a noisy room
  $ parlor run --domain maths                         maths problems in text; --data FILE for your own
  $ parlor run --resume runs/parlor-speech-oracle-1   go on with a run that was interrupted
  $ parlor run --agent openai --base-url http://localhost:8000/v1 --model Qwen/Qwen2.5-Omni-7B

The agent "oracle" is a reference that knows the right answers, not a model; "parlor agents" lists the others. Exit codes: 0 done, 1 some episodes
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
  if (played.gaveUp !== null)
    terminal.err(
      `parlor: gave up: ${played.gaveUp}; ${played.notRun} episodes are left. When it is up: parlor run --resume ${name}\n`,
    );
  const complete = await finishRun(folder, terminal, {
    ...{ json: json === true, report, strict: false, name, recordings: options.recordings === true },
  });
  if (!complete) throw new ExitError(EXIT_INCOMPLETE);
}

/** An upper bound for a run that goes on: what is done already is counted as well. */
function sizeOf({ manifest, domain }: BuiltRun, { tools }: RunOptions): RunSize {
  const material = describeAgentMaterial(domain);
  return {
    episodes: manifest.tasks.length * manifest.trials * manifest.modes.length,
    speaks: manifest.modes.includes('speech'),
    materialCharacters: material.policy.length + JSON.stringify(material.tools).length,
    toolsInText: tools === 'text',
    speech: manifest.speech,
  };
}

async function run(given: RunOptions, terminal: Terminal): Promise<void> {
  if (given.out !== undefined && given.resume !== undefined)
    throw new UsageError(
      'bad-option',
      '--out is for a new run and --resume for an old one; give one of them',
    );
  const { cwd, env } = terminal;
  const resumed = given.resume === undefined ? null : resolve(cwd, given.resume);
  const before = resumed === null ? null : await readManifest(resumed);
  const flags = before === null ? given : resumedFlags(before, given);
  const settings = before === null ? settingsFromFlags(flags) : settingsForResume(before, flags);
  const models = openModels(terminal);
  const speech: OpenSpeech[] = [];
  try {
    const speaks = settings.modes.includes('speech');
    const line = await openRunLine(flags, { before, speaks, cwd });
    checkStreamSpeech({
      ...{ streamSpeech: given.streamSpeech, speaks, conditions: line.conditions },
      ...{ voiceTasks: line.taskConditions !== undefined, turnTaking: settings.turnTaking !== 'half-duplex' },
    });
    const built = await buildRun(settings, {
      cwd,
      line,
      ...createCustomers(flags, models),
      agentFlags: pickAgentFlags(flags),
      path: env.PATH ?? '',
      openChat: () => models.open('agent', flags),
      openTranscriber: () => openTranscriber(flags, terminal),
      realtimeServer: () => models.openRealtime(flags),
      voiceOf: (text, seed) => speakAsAgent(speech[0], text, seed),
      openSpeech: async () => {
        const opened = await openSpeech(env, {
          ...{ workers: availableParallelism(), conditions: line.conditions },
          conditionsOf: line.taskConditions?.conditionsOf,
          voicesDir: line.voices === undefined ? undefined : resolve(cwd, line.voices),
        });
        speech.push(opened);
        checkStreamingVoices(given.streamSpeech, opened);
        return opened.description;
      },
    });
    if (flags.preflight !== false)
      await preflight({ models, voices: speech.flatMap(({ servers }) => servers) }, sizeOf(built, flags), {
        terminal,
        prices: flags,
      });
    const folder =
      resumed ?? (flags.out === undefined ? freshFolder(cwd, built.manifest) : resolve(cwd, flags.out));
    const speaker = speech[0]?.speaker ?? null;
    await whileClaimed(folder, () => play(built, folder, { ...flags, terminal, speaker }));
  } finally {
    for (const { speaker } of speech) await speaker.close();
  }
}

/** `parlor run`: tasks × trials, played, verified and summed up. */
export const registerRun: RegisterCommand = (program: Command, terminal: Terminal) => {
  const command = program
    .command('run')
    .description(
      'Run an evaluation: customers speak, an agent acts, every episode is verified; ends with a table.',
    );
  addRunOptions(command);
  command.addHelpText('after', EXAMPLES).action((flags: RunOptions) => run(flags, terminal));
};
