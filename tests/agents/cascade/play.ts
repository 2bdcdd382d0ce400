import { createCascade, type createTranscriberRecogniser } from '../../../src/agents/index.js';
import { createMemoryRecords, type RecordEvent } from '../../../src/episodes/index.js';
import type { RetailDomain } from '../../../src/retail/index.js';
import { startSandbox } from '../../../src/sandbox/index.js';
import { systemClock } from '../../../src/shared/index.js';
import type { Speaker } from '../../../src/speech/index.js';
import { createScriptedCustomers } from '../../../src/user/index.js';
import { fakeSpeaker } from '../../sandbox/helpers/fakes.js';

export interface PlayedByCascade {
  readonly id: string;
  readonly success: boolean;
  readonly events: readonly RecordEvent[];
}

interface Ears {
  readonly mode: 'speech';
  readonly speaker: Speaker;
  readonly recogniser: ReturnType<typeof createTranscriberRecogniser>;
}

/** The cascade reads tasks of a domain (or hears them), one after the other, in a real sandbox over a real socket. */
export async function playCascade(
  domain: RetailDomain,
  tasks: readonly string[],
  ears?: Ears,
): Promise<PlayedByCascade[]> {
  const records = createMemoryRecords();
  const outcomes = new Map<string, boolean>();
  const sandbox = await startSandbox({
    ...{ domain, speaker: ears?.speaker ?? fakeSpeaker, customers: createScriptedCustomers() },
    ...{ outcomeRule: 'tau2', openRecord: records.open, clock: systemClock },
    onEpisodeEnd: ({ episode, outcome }) => void outcomes.set(episode, outcome?.success === true),
  });
  const agent = createCascade({ recogniser: ears?.recogniser ?? null });
  try {
    const played: PlayedByCascade[] = [];
    for (const task of tasks) {
      const { episode } = await agent.run(
        { url: sandbox.url, task, mode: ears?.mode ?? 'text', seed: 1, trial: 0 },
        new AbortController().signal,
      );
      const id = episode ?? '';
      played.push({ id: task, success: outcomes.get(id) === true, events: records.episodes.get(id) ?? [] });
    }
    return played;
  } finally {
    await sandbox.close();
  }
}

/** What the agent did: words and calls, with what it noted. */
export function deedsIn(events: readonly RecordEvent[]): unknown[] {
  return events.flatMap((event) => {
    if (event.type === 'agent') return [[event.text, event.reasoning]];
    if (event.type === 'tool_call') return [[event.name, event.arguments, event.reasoning]];
    return [];
  });
}
