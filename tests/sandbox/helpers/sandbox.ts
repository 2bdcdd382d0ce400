import { onTestFinished } from 'vitest';
import type { AgentAssignment } from '../../../src/agents/index.js';
import { startEpisode } from '../../../src/agents/index.js';
import { createMemoryRecords, type MemoryRecords, type RecordEvent } from '../../../src/episodes/index.js';
import {
  type EpisodeSummary,
  type Sandbox,
  type SandboxOptions,
  startSandbox,
} from '../../../src/sandbox/index.js';
import { systemClock } from '../../../src/shared/index.js';
import { echoCustomers, fakeSpeaker } from './fakes.js';
import { smallDomain } from './small-domain.js';

export interface TestSandbox {
  readonly sandbox: Sandbox;
  readonly records: MemoryRecords;
  readonly summaries: EpisodeSummary[];
  readonly logged: string[];
  /** The next episode that ends, or one that has ended and was not asked for. */
  nextEnd(): Promise<EpisodeSummary>;
}

/** A sandbox on a free port, closed when the test is over. */
export async function testSandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const records = createMemoryRecords();
  const summaries: EpisodeSummary[] = [];
  const logged: string[] = [];
  let asked = 0;
  const waiting: ((summary: EpisodeSummary) => void)[] = [];
  const sandbox = await startSandbox({
    ...{ domain: smallDomain(), speaker: fakeSpeaker, customers: echoCustomers, outcomeRule: 'tau2' },
    ...{ openRecord: records.open, clock: systemClock, websocket: { graceMs: 0 } },
    onEpisodeEnd: (summary) => {
      summaries.push(summary);
      waiting.shift()?.(summary);
    },
    log: ({ message }) => logged.push(message),
    ...options,
  });
  onTestFinished(() => sandbox.close());
  return {
    ...{ sandbox, records, summaries, logged },
    nextEnd: () => {
      const ended = summaries[asked];
      asked += 1;
      return ended === undefined
        ? new Promise<EpisodeSummary>((resolve) => waiting.push(resolve))
        : Promise.resolve(ended);
    },
  };
}

function assignmentTo(sandbox: Sandbox, parts: Partial<AgentAssignment> = {}): AgentAssignment {
  return { url: sandbox.url, task: 'cancel-lamp', mode: 'text', seed: 1, trial: 0, ...parts };
}

export function beginEpisode(sandbox: Sandbox, parts: Partial<AgentAssignment> = {}) {
  return startEpisode(assignmentTo(sandbox, parts), { agent: 'tester' });
}

export function eventsOf(records: MemoryRecords, episode: string): readonly RecordEvent[] {
  return records.episodes.get(episode) ?? [];
}

export const typesOf = (events: readonly RecordEvent[]): string[] => events.map((event) => event.type);
