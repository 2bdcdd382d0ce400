import { describe, expect, it } from 'vitest';
import { builtInDomain } from '../../../src/retail/index.js';
import { oracleChatPolicy } from '../../helpers/oracle-chat-policy.js';
import { AUDIO_TOKEN } from '../../helpers/strict-chat-tokens.js';
import { playChat, taskOfSession } from './play.js';

const domain = builtInDomain();
const tasks = domain.tasks
  .filter(({ splits }) => splits.includes('test'))
  .slice(0, 4)
  .map(({ id }) => id);

describe('a chat agent behind a strict server, with the oracle for a model', () => {
  it.each(['text', 'speech'] as const)('solves retail tasks in %s', async (mode) => {
    const { played, server } = await playChat({
      ...{ domain, tasks, mode, server: { policy: oracleChatPolicy(domain, taskOfSession) } },
      agent: { tokens: true, temperature: 0.7, topP: 0.9 },
    });
    expect(server.refusals).toEqual([]);
    expect(played.map(({ success }) => success)).toEqual(tasks.map(() => true));
    const generations = played.flatMap(({ report }) => report.generations ?? []);
    expect(generations.flatMap(({ faults }) => faults)).toEqual([]);
    const clips = server.seen.flatMap(({ messages }) => messages.flatMap(({ parts }) => parts));
    expect(clips.some((part) => 'clip' in part)).toBe(mode === 'speech');
    if (mode === 'speech') expect(generations[0]?.promptRest).toContain(AUDIO_TOKEN);
  });
});
