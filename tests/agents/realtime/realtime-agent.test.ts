import { describe, expect, it } from 'vitest';
import type { RecordEvent } from '../../../src/episodes/index.js';
import { builtInDomain } from '../../../src/retail/index.js';
import { oraclePolicy, playRealtime } from './play.js';

const domain = builtInDomain();
const tasks = domain.tasks
  .filter(({ splits }) => splits.includes('test'))
  .slice(0, 3)
  .map(({ id }) => id);

const said = (events: readonly RecordEvent[]) =>
  events.flatMap((event) => (event.type === 'agent' ? [event] : []));
/** Every call with its result: what was done to the database, in order. */
const done = (events: readonly RecordEvent[]) =>
  events.flatMap((event) =>
    event.type === 'tool_call'
      ? [`${event.name} ${JSON.stringify(event.arguments)}`]
      : event.type === 'tool_result'
        ? [event.content]
        : [],
  );
const database = (events: readonly RecordEvent[]) =>
  events.flatMap((event) => (event.type === 'outcome' ? [event.scores.database] : []));

describe('a realtime agent behind a strict server, with the oracle for a model', () => {
  it.each(tasks)(
    'ends %s with the same database in text, in speech and with a customer that breaks in',
    async (id) => {
      const server = { policy: oraclePolicy(domain, id) };
      const text = await playRealtime({ domain, task: id, mode: 'text', server });
      const speech = await playRealtime({ domain, task: id, server: { policy: oraclePolicy(domain, id) } });
      const meant: string[] = [];
      const mind = oraclePolicy(domain, id);
      const broken = await playRealtime({
        ...{ domain, task: id, agent: { breakIns: 0.5 } },
        server: {
          policy: async (request) => {
            const answer = await mind(request);
            meant.push(answer.say ?? '');
            return answer;
          },
        },
      });
      for (const played of [text, speech, broken]) {
        expect(played.failure).toBe(null);
        expect(
          played.server.refusals.filter((line) => !line.startsWith('response_cancel_not_active')),
        ).toEqual([]);
        expect(played.server.sessions.flatMap(({ items }) => items.unanswered())).toEqual([]);
        expect(done(played.events)).toEqual(done(text.events));
        expect(database(played.events)).toEqual(database(text.events));
      }
      const cuts = broken.server.seen.filter(({ type }) => type === 'conversation.item.truncate');
      expect(cuts.length).toBeGreaterThan(0);
      expect([text.success, speech.success]).toEqual([true, true]);
      expect(database(text.events)).toEqual([1]);
      const heard = said(broken.events).filter(({ reasoning }) =>
        reasoning?.startsWith('The customer broke in'),
      );
      expect(heard).toHaveLength(cuts.length);
      for (const { text: words, reasoning } of heard) {
        const unheard = reasoning?.split('Not heard: ')[1] ?? '';
        expect(unheard).not.toBe('');
        expect(meant.some((line) => line.startsWith(words) && line.length > words.length)).toBe(true);
      }
      // The server’s memory ends where the customer’s does.
      const remembered = broken.server.sessions[0]?.items.list.filter(
        ({ truncatedAtMs }) => truncatedAtMs !== null,
      );
      expect(remembered?.map(({ truncatedAtMs }) => truncatedAtMs)).toEqual(
        cuts.map(({ body }) => body.audio_end_ms),
      );
    },
  );
});
