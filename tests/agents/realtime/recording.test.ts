import { describe, expect, it } from 'vitest';
import { recordRealtime, replayRealtime } from '../../../src/agents/index.js';
import { builtInDomain } from '../../../src/retail/index.js';
import { oraclePolicy, playRealtime } from './play.js';

const domain = builtInDomain();
const [task = '', other = ''] = domain.tasks
  .filter(({ splits }) => splits.includes('test'))
  .map(({ id }) => id);
const refusing = { policy: () => Promise.reject(new Error('nobody must be asked')) };

describe('a recording of a realtime model', () => {
  it('gives the same episode again with no server, break-ins and voice included', async () => {
    const lines: string[] = [];
    const recording = recordRealtime('gpt-realtime', (line) => lines.push(line));
    const first = await playRealtime({
      ...{ domain, task, agent: { breakIns: 0.5, recording } },
      server: { policy: oraclePolicy(domain, task) },
    });
    expect(first.failure).toBe(null);
    expect(first.events.some((event) => event.type === 'agent' && event.reasoning !== null)).toBe(true);

    const replay = replayRealtime(lines.join(''), 'agent.jsonl');
    const again = await playRealtime({
      ...{ domain, task, server: refusing },
      agent: { breakIns: 0.5, recording: replay, model: replay.model },
    });
    expect(again.failure).toBe(null);
    expect(again.server.seen).toEqual([]);
    expect(again.events).toEqual(first.events);
    expect(again.report?.generations).toEqual(first.report?.generations);
    expect(first.report?.generations?.length).toBeGreaterThan(3);
  });

  it('holds no key and nothing of the customer’s voice', async () => {
    const lines: string[] = [];
    const recording = recordRealtime('gpt-realtime', (line) => lines.push(line));
    await playRealtime({
      ...{ domain, task, agent: { apiKey: 'sesame', recording } },
      server: { policy: oraclePolicy(domain, task), apiKey: 'sesame' },
    });
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.join('')).not.toContain('sesame');
    expect(lines.join('')).not.toContain('"audio"');
  });

  it('says where a conversation leaves the recorded one', async () => {
    const lines: string[] = [];
    const recording = recordRealtime('gpt-realtime', (line) => lines.push(line));
    await playRealtime({
      ...{ domain, task, agent: { recording } },
      server: { policy: oraclePolicy(domain, task) },
    });
    const replay = (): ReturnType<typeof replayRealtime> => replayRealtime(lines.join(''), 'agent.jsonl');
    const unknown = await playRealtime({
      ...{ domain, task: other, agent: { recording: replay() }, server: refusing },
    });
    expect(String(unknown.failure)).toContain(`agent.jsonl holds nothing of the episode ${other}.speech`);
    const otherwise = await playRealtime({
      ...{ domain, task, mode: 'speech', agent: { recording: replay(), breakIns: 1 }, server: refusing },
    });
    expect(String(otherwise.failure)).toContain('before reply 1 something else was said');
  });

  it.each([
    ['', 'is empty'],
    ['{"type":"chat_recording","version":1}\n', 'line 1, at type'],
    ['{"type":"realtime_recording","version":1,"model":"m"}\nnonsense\n', 'line 2: expected a JSON object'],
    ['{"type":"realtime_recording","version":1,"model":"m"}\n{"type":"other"}\n', 'line 2, at type'],
  ])('that cannot be read is refused: %j', (text, words) => {
    expect(() => replayRealtime(text, 'agent.jsonl')).toThrow(words);
  });
});
