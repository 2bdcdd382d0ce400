import { describe, expect, it } from 'vitest';
import type { RecordEvent } from '../../../src/episodes/index.js';
import { builtInDomain } from '../../../src/retail/index.js';
import { type Clock, createManualClock } from '../../../src/shared/index.js';
import { customersOf } from '../../sandbox/helpers/fakes.js';
import { oraclePolicy, type PlayRealtimeOptions, playRealtime } from './play.js';

const domain = builtInDomain();
const task = domain.tasks.find(({ splits }) => splits.includes('test'))?.id ?? '';
const customers = customersOf({
  reply: async (text) => (/goodbye/i.test(text) ? { text: 'Bye.', end: 'stop' } : { text: 'Go on then.' }),
});
/** Shorter times are pauses between tries; longer ones are the patience with a silent server. */
const LEAST_PATIENCE_MS = 10_000;

/** Time passes when the server has gone silent, and pauses are not sat through: nothing waits on the real clock. */
function clockOfSilence(): { clock: Clock; onSilent: () => void } {
  const manual = createManualClock();
  return {
    clock: {
      nowMs: manual.nowMs,
      after: (delayMs, callback) => {
        if (delayMs < LEAST_PATIENCE_MS) setImmediate(() => manual.advance(delayMs));
        return manual.after(delayMs, callback);
      },
    },
    onSilent: () => void setImmediate(() => manual.advance(120_000)),
  };
}
const play = (options: Omit<PlayRealtimeOptions, 'domain' | 'task'>) =>
  playRealtime({ domain, task, customers, ...options, ...options });
const calls = (events: readonly RecordEvent[]) =>
  events.flatMap((event) => (event.type === 'tool_call' ? [event.name] : []));
const solve = (options: Partial<PlayRealtimeOptions['server']>, agent: PlayRealtimeOptions['agent'] = {}) =>
  playRealtime({
    ...{ domain, task, agent },
    server: { policy: oraclePolicy(domain, task), ...options },
  });

describe('a session that ends before the conversation', () => {
  it.each([
    ['is cut in the middle of a reply', { kind: 'cut', afterPieces: 1 }],
    [
      'reaches its greatest age',
      {
        kind: 'cut',
        afterPieces: 0,
        code: 1001,
        reason: 'Your session hit the maximum duration of 60 minutes.',
      },
    ],
    ['stays open and is silent (8, 24)', { kind: 'silent', afterPieces: 1 }],
  ] as const)('%s: another is told everything, and nothing is done twice', async (_what, fault) => {
    const whole = await solve({});
    const { clock, onSilent } = clockOfSilence();
    const { success, events, server } = await solve(
      { fault: ({ response }) => ([3, 8].includes(response) ? fault : null), onSilent },
      fault.kind === 'silent' ? { clock } : {},
    );
    expect(success).toBe(true);
    expect(calls(events)).toEqual(calls(whole.events));
    expect(server.sessions.length).toBeGreaterThanOrEqual(3);
    expect(server.refusals).toEqual([]);
    expect(server.sessions.at(-1)?.items.unanswered()).toEqual([]);
    const roles = server.sessions.at(-1)?.items.list.map(({ type, role }) => role ?? type) ?? [];
    expect(new Set(roles)).toEqual(new Set(['user', 'assistant', 'function_call', 'function_call_output']));
  });

  it('is followed by another before it is too old', async () => {
    const { success, server } = await solve({}, { sessionMs: 0 });
    expect(success).toBe(true);
    expect(server.sessions.length).toBeGreaterThan(3);
    expect(server.refusals).toEqual([]);
  });
});

describe('Qwen-Omni-Realtime’s dialect', () => {
  const dialect = 'dashscope' as const;

  it('solves a task with the beta names', async () => {
    const { success, server } = await solve({ dialect }, { dialect, voice: 'Tina' });
    expect(success).toBe(true);
    expect(server.refusals).toEqual([]);
    expect(server.seen.at(-1)?.type).toBe('session.finish');
  });

  it('tells another session in its instructions what was said and done', async () => {
    const { server, report } = await play({
      agent: { dialect },
      server: {
        dialect,
        policy: ({ response }) =>
          response === 0
            ? { calls: [{ name: 'list_all_product_types', arguments: '{}' }] }
            : response === 1
              ? { say: 'Which one?' }
              : { say: 'Goodbye.' },
        fault: ({ response }) => (response === 2 ? { kind: 'cut', afterPieces: 1 } : null),
      },
    });
    expect(report?.reason).toBe('customer_stop');
    expect(server.refusals).toEqual([]);
    const { instructions } = server.sessions[1]?.settings ?? { instructions: '' };
    expect(instructions).toContain('You called list_all_product_types with {}');
    expect(instructions).toContain('You: Which one?');
    expect(server.sessions[1]?.items.list.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('stops a reply into which the customer breaks, though it cannot cut it', async () => {
    const { server, report } = await play({
      agent: { dialect, breakIns: 1 },
      server: {
        dialect,
        policy: ({ response }) => ({
          say: response === 0 ? `A ${'very '.repeat(30)}long story.` : 'Goodbye.',
        }),
        fault: ({ response }) => (response === 0 ? { kind: 'hold', afterPieces: 30 } : null),
      },
    });
    expect(report?.reason).toBe('customer_stop');
    expect(server.refusals).toEqual([]);
    expect(server.seen.map(({ type }) => type)).toContain('response.cancel');
  });

  it('hears only', async () => {
    const { failure } = await play({
      mode: 'text',
      agent: { dialect },
      server: { dialect, policy: () => ({}) },
    });
    expect(failure).toMatchObject({ code: 'agent-needs-speech' });
  });
});

describe('a server that does not do it says why in one line', () => {
  const policy = () => ({ say: 'Goodbye.' });
  const refused = async (options: Parameters<typeof play>[0]) => {
    const { failure, episodes, events } = await play(options);
    expect(failure).toMatchObject({ code: 'realtime-failed' });
    const message = failure instanceof Error ? failure.message : '';
    expect(message).not.toContain('\n');
    const end = events.find((event) => event.type === 'end');
    return { message, episodes, reason: end?.type === 'end' ? end.reason : null };
  };

  it('a wrong key, a wrong address and a wrong model cost no episode', async () => {
    const key = await refused({ server: { policy, apiKey: 'right' }, agent: { apiKey: 'wrong' } });
    expect(key).toMatchObject({ message: expect.stringContaining('--api-key-env'), episodes: 0 });
    const model = await refused({ server: { policy }, agent: { model: 'gpt-nothing' } });
    expect(model).toMatchObject({ message: expect.stringContaining('gpt-nothing'), episodes: 0 });
    const nobody = await refused({ server: { policy }, agent: { baseUrl: 'ws://127.0.0.1:1/v1/realtime' } });
    expect(nobody).toMatchObject({ message: expect.stringContaining('ECONNREFUSED'), episodes: 0 });
  });

  it('one that accepts the socket and says nothing (8)', async () => {
    const { clock, onSilent } = clockOfSilence();
    const server = { policy, greets: () => false, onSilent };
    const { message } = await refused({ server, agent: { clock } });
    expect(message).toContain('expected session.created');
  });

  it('one that answers with rubbish, is always silent or always fails', async () => {
    const rubbish = await refused({
      server: { policy, fault: () => ({ kind: 'raw', texts: ['{"type":"response.done","response":7}'] }) },
    });
    expect(rubbish).toMatchObject({
      message: expect.stringContaining('--dialect'),
      reason: 'agent_unavailable',
    });
    const { clock, onSilent } = clockOfSilence();
    const silent = await refused({
      server: { policy, fault: () => ({ kind: 'silent', afterPieces: 0 }), onSilent },
      agent: { clock },
    });
    expect(silent).toMatchObject({ message: expect.stringContaining('silent'), reason: 'agent_unavailable' });
    const failing = await refused({
      server: { policy: () => ({ status: 'failed', failure: 'overloaded' }) },
    });
    expect(failing).toMatchObject({
      message: expect.stringContaining('overloaded'),
      reason: 'agent_unavailable',
    });
  });

  it('passes over events that it does not know', async () => {
    const { report } = await play({
      server: {
        policy,
        fault: () => ({ kind: 'raw', texts: ['{"type":"response.thinking.delta","x":[]}'] }),
      },
    });
    expect(report?.reason).toBe('customer_stop');
  });
});
