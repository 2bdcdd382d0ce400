import type { OpenRecord, RecordEvent } from '../../../src/episodes/index.js';
import type { Outcome, RetailDomain, VerifyInput, WorldSession } from '../../../src/retail/index.js';

/** Everything there is in the small world, as the tools tell it. */
function databaseOf(session: WorldSession): string {
  const read = (name: string, args: Record<string, unknown>) => session.call(name, args).content;
  return [
    read('get_user_details', { user_id: 'ada_moss_1' }),
    read('get_order_details', { order_id: '#W0000001' }),
    read('get_order_details', { order_id: '#W0000002' }),
  ].join('\n');
}

/** A verdict that carries what the world was asked and what it holds into the record. */
export function snapshotVerdict({ session, rule }: VerifyInput): Outcome {
  const calls = session.calls.map(({ name, arguments: args }) => JSON.stringify([name, args]));
  return {
    ...{ rule, reward: 1, success: true, unscored: [], unsaid: [] },
    scores: { database: 1, writes: 1, communicate: null, actions: null, assertions: null },
    difference: [databaseOf(session), ...calls],
  };
}

export interface Audit {
  readonly open: OpenRecord;
  /** The calls of a closed record by id, with what the agent was to be told; taken out. */
  take(episode: string): ReadonlyMap<string, string> | undefined;
  readonly faults: string[];
}

/** Records that are compared with the world when they are closed, then forgotten but for their calls. */
export function auditedRecords(domain: RetailDomain): Audit {
  const faults: string[] = [];
  const closed = new Map<string, ReadonlyMap<string, string>>();

  function audit(episode: string, events: readonly RecordEvent[]): void {
    const results = new Map<string, string>();
    const performed: string[] = [];
    const made = new Set<string>();
    const fresh = domain.openSession();
    for (const event of events) {
      if (event.type === 'tool_cancelled') results.set(event.callId, 'cancelled');
      if (event.type === 'tool_call') {
        if (made.has(event.callId)) faults.push(`${episode}: ${event.callId} was made twice`);
        made.add(event.callId);
        performed.push(JSON.stringify([event.name, event.arguments]));
        fresh.call(event.name, event.arguments);
      }
      if (event.type !== 'tool_result') continue;
      if (results.has(event.callId)) faults.push(`${episode}: ${event.callId} ended twice`);
      results.set(event.callId, event.content);
    }
    const outcome = events.find((event) => event.type === 'outcome');
    const [database, ...calls] = outcome?.difference ?? [];
    if (calls.join() !== performed.join())
      faults.push(`${episode}: the world was asked other things than recorded`);
    if (database !== databaseOf(fresh))
      faults.push(`${episode}: the database is not what the record's calls make`);
    closed.set(episode, results);
  }

  return {
    faults,
    take: (episode) => {
      const results = closed.get(episode);
      closed.delete(episode);
      return results;
    },
    open: (episode) => {
      const events: RecordEvent[] = [];
      return {
        episode,
        append: (event) => void events.push(event),
        audio: async () => undefined,
        finish: async () => {
          if (events.length > 0) audit(episode, events.splice(0));
        },
      };
    },
  };
}
