import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { episodeId, formatGenerations, generationsPath, readEpisode } from '../../episodes/index.js';
import {
  appendLabel,
  type OpenRun,
  type RunEvent,
  type RunPlanResult,
  readLabels,
  runPlan,
  writeLabels,
} from '../../evaluation/index.js';
import { startSandbox } from '../../sandbox/index.js';
import { systemClock } from '../../shared/index.js';
import type { Speaker } from '../../speech/index.js';
import { createProgress } from '../progress.js';
import type { Terminal } from '../terminal.js';
import type { BuiltRun } from './build-run.js';
import { type Interrupts, watchInterrupts } from './interrupts.js';

export interface PlayOptions {
  readonly terminal: Terminal;
  readonly speaker: Speaker | null;
  readonly streamSpeech?: true;
  readonly concurrency: number;
  /** How to call the folder. */
  readonly name: string;
  /** 0: any free port. */
  readonly port: number;
}

/** Starts a sandbox, sends the agent through every episode that is left, and closes the sandbox again, whatever happens. */
export async function playRun(
  built: BuiltRun,
  run: OpenRun,
  options: PlayOptions,
): Promise<RunPlanResult & { readonly interrupted: boolean }> {
  const { terminal, speaker, concurrency, port, name } = options;
  const { manifest, domain, customers, agent } = built;
  const ended = new Map<string, string>();
  let note = (text: string): void => terminal.err(`${text}\n`);
  const sandbox = await startSandbox({
    domain,
    speaker,
    customers,
    verify: built.verify,
    outcomeRule: manifest.rule,
    openRecord: run.folder.open,
    clock: systemClock,
    limits: manifest.limits,
    liveJudge: built.liveJudge,
    ownAgents: true,
    turnTaking: manifest.turnTaking !== undefined,
    streamSpeech: options.streamSpeech,
    port,
    onEpisodeEnd: (summary) => {
      ended.set(episodeId(summary), summary.episode);
      run.folder.appendTiming(summary.timing);
    },
    log: ({ level, message }) => {
      if (level !== 'info') note(`parlor: ${message}`);
    },
  });
  const count = run.remaining.length;
  terminal.err(`parlor: ${count} ${count === 1 ? 'episode' : 'episodes'} to run into ${name}\n`);
  const progress = createProgress(terminal, {
    clock: systemClock,
    total: run.remaining.length,
    already: run.finished,
  });
  note = progress.note;
  const interrupts: Interrupts = watchInterrupts(terminal, {
    onFirst: () =>
      progress.note('stopping: running episodes finish, no new ones start; press again to break off'),
    // Episodes that are broken off end as `shutdown`, which is the platform's: they will be run again.
    onSecond: () => void sandbox.close(),
  });
  try {
    const result = await runPlan(run.remaining, {
      agent,
      url: sandbox.url,
      turnTaking: manifest.turnTaking,
      concurrency,
      stop: interrupts.stop,
      abort: interrupts.abort,
      findRecord: async (plan) => {
        await sandbox.settled(plan);
        const episode = ended.get(episodeId(plan));
        return episode === undefined ? null : (await readEpisode(run.folder.paths.episode(episode))).record;
      },
      onEvent: async (event) => {
        await keepLabel(built, run, event);
        await keepGenerations(built, run, event);
        if (event.kind === 'finished') progress.step(event.record.outcome?.success === true);
        else if (event.kind === 'invalid') {
          progress.step(null);
          progress.note(`parlor: ${event.plan.task} trial ${event.plan.trial + 1}: invalid: ${event.reason}`);
        }
      },
    });
    return { ...result, interrupted: interrupts.stop.aborted };
  } finally {
    interrupts.release();
    progress.close();
    await sandbox.close();
    await writeLabels(run.folder, await readLabels(run.folder.dir));
  }
}

async function keepLabel({ manifest }: BuiltRun, run: OpenRun, event: RunEvent): Promise<void> {
  if (!manifest.agent.labels || event.kind !== 'finished' || event.report === null) return;
  const { task, trial, mode } = event.plan;
  const { mended = [] } = event.report;
  await appendLabel(run.folder.dir, {
    type: 'label',
    episode: event.record.header.episode,
    task,
    mode,
    trial,
    faults: [...event.report.faults],
    ...(mended.length === 0 ? {} : { mended: [...mended] }),
  });
}

/** Token ids and the like, where they were asked for or the agent's model gave them. */
async function keepGenerations({ manifest }: BuiltRun, run: OpenRun, event: RunEvent): Promise<void> {
  if (event.kind !== 'finished') return;
  const generations = event.report?.generations ?? [];
  const isAsked = manifest.agent.options.tokenIds === true;
  if (!isAsked && !generations.some(({ ids, logprobs }) => ids !== null || logprobs !== null)) return;
  if (generations.length === 0) return;
  const path = generationsPath(run.folder.dir, event.record.header.episode);
  await mkdir(dirname(path), { recursive: true });
  await run.folder.writeWhole(path, formatGenerations(generations));
}
