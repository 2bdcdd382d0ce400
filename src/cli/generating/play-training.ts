import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createPlan, resumeRun, startRun } from '../../evaluation/index.js';
import type { Mode } from '../../protocol/index.js';
import type { RetailDomain } from '../../retail/index.js';
import type { Speaker } from '../../speech/index.js';
import { type AgentFlags, pickAgentFlags, type ServerFlags, type UserFlags } from '../models/model-flags.js';
import { openModels } from '../models/open-models.js';
import { openTranscriber } from '../models/phone-flags.js';
import { ExitError } from '../program.js';
import { type BuiltRun, buildRun } from '../running/build-run.js';
import { createCustomers } from '../running/customers.js';
import { keepMaterial } from '../running/finish-run.js';
import { playRun } from '../running/play-run.js';
import { AS_SPOKEN } from '../running/run-line.js';
import { type OpenSpeech, openSpeech } from '../running/speech.js';
import { whileClaimed } from '../running/while-claimed.js';
import type { Terminal } from '../terminal.js';

export interface PlayFlags extends ServerFlags, AgentFlags, UserFlags {
  readonly agent: string;
  readonly faults: number;
  readonly group: number;
  readonly seed: number;
  readonly maxTurns: number;
  readonly concurrency: number;
}

export interface TrainingRun {
  readonly domain: RetailDomain;
  readonly mode: Mode;
  readonly tasks: readonly string[];
  readonly dir: string;
  /** How messages call the folder. */
  readonly name: string;
}

const EXIT_INCOMPLETE = 1;
const EXIT_INTERRUPTED = 130;

interface PlayContext {
  readonly flags: PlayFlags;
  readonly terminal: Terminal;
  /** Called when agent and customers are known to be right, before anything is written. */
  readonly onReady: () => Promise<void>;
}

/** Plays one run of training episodes into a folder, or goes on with it. @throws ExitError when interrupted */
export async function playTraining(
  run: TrainingRun,
  { flags, terminal, onReady }: PlayContext,
): Promise<void> {
  const { domain } = run;
  const models = openModels(terminal);
  const speech: OpenSpeech[] = [];
  try {
    const settings = {
      ...{
        domain: 'retail' as const,
        data: null,
        split: null,
        ids: run.tasks,
        count: null,
        trials: flags.group,
        modes: [run.mode],
      },
      ...{
        agent: flags.agent,
        faults: flags.faults,
        seed: flags.seed,
        outcomeRule: null,
        maxTurns: flags.maxTurns,
        liveJudge: null,
        turnTaking: 'half-duplex' as const,
      },
    };
    const built = await buildRun(settings, {
      ...{ cwd: terminal.cwd, domain, sameCustomer: true, line: AS_SPOKEN },
      ...createCustomers(flags, models),
      agentFlags: pickAgentFlags(flags),
      path: terminal.env.PATH ?? '',
      openChat: () => models.open('agent', flags),
      openTranscriber: () => openTranscriber(flags, terminal),
      realtimeServer: () => models.openRealtime(flags),
      voiceOf: null,
      openSpeech: async () => {
        const opened = await openSpeech(terminal.env, { workers: availableParallelism() });
        speech.push(opened);
        return opened.description;
      },
    });
    await onReady();
    const speaker = speech[0]?.speaker ?? null;
    await whileClaimed(run.dir, () => playBuilt(built, run, { flags, terminal, speaker }));
  } finally {
    for (const { speaker } of speech) await speaker.close();
  }
}

interface BuiltContext extends Pick<PlayContext, 'flags' | 'terminal'> {
  readonly speaker: Speaker | null;
}

async function playBuilt(
  built: BuiltRun,
  run: TrainingRun,
  { flags, terminal, speaker }: BuiltContext,
): Promise<void> {
  const open = existsSync(join(run.dir, 'run.json'))
    ? await resumeRun(run.dir, built.manifest)
    : await startRun(run.dir, built.manifest, createPlan(built.manifest));
  await keepMaterial(open.folder, run.domain);
  if (open.remaining.length === 0) return;
  const played = await playRun(built, open, {
    ...{ terminal, speaker, concurrency: flags.concurrency },
    ...{ name: run.name, port: 0 },
  });
  if (played.interrupted && played.notRun > 0) {
    terminal.err(
      `parlor: stopped; ${played.notRun} episodes are left. Give the same command again to go on\n`,
    );
    throw new ExitError(EXIT_INTERRUPTED);
  }
  if (played.gaveUp !== null) {
    terminal.err(
      `parlor: gave up: ${played.gaveUp}; ${played.notRun} episodes are left. When it is up, give the same command again\n`,
    );
    throw new ExitError(EXIT_INCOMPLETE);
  }
}
