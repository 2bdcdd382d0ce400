import { RealtimeAgent, RealtimeSession, tool } from '@openai/agents-realtime';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type StrictRealtimeOptions,
  type StrictRealtimeServer,
  startStrictRealtimeServer,
} from '../../helpers/strict-realtime-server.js';

/** The strict server is checked here by a client that was not written for it: OpenAI's own. */
let server: StrictRealtimeServer | null = null;
let session: RealtimeSession | null = null;
afterEach(async () => {
  session?.close();
  await server?.close();
});

async function talk(options: StrictRealtimeOptions, config: object = {}) {
  server = await startStrictRealtimeServer(options);
  const calls: string[] = [];
  const agent = new RealtimeAgent({
    name: 'clerk',
    instructions: 'Help with orders.',
    tools: [
      tool({
        name: 'find_order',
        description: 'Finds an order.',
        parameters: z.object({ id: z.string() }),
        execute: async ({ id }) => {
          calls.push(id);
          return `order ${id} is pending`;
        },
      }),
    ],
  });
  const made = new RealtimeSession(agent, {
    transport: 'websocket',
    model: 'gpt-realtime',
    config,
    tracingDisabled: true,
  });
  session = made;
  const errors: unknown[] = [];
  made.on('error', ({ error }) => errors.push(error));
  await made.connect({ apiKey: 'key', url: `${server.url}?model=gpt-realtime` });
  const nextOf = <T>(subscribe: (resolve: (value: T) => void) => void): Promise<T> =>
    new Promise<T>(subscribe);
  return { server, session: made, calls, errors, nextOf };
}

const tone = (ms: number): ArrayBuffer =>
  Int16Array.from({ length: 24 * ms }, (_, at) => Math.round(6000 * Math.sin(at / 10))).buffer;

describe('the client of OpenAI', () => {
  it('holds a conversation in text, with a tool call and its result', async () => {
    const { session, server, calls, errors, nextOf } = await talk({
      policy: ({ items }) => {
        const last = items.at(-1);
        if (last?.type === 'function_call_output') return { say: `It says: ${last.text}.` };
        return { calls: [{ name: 'find_order', arguments: '{"id":"#W1"}' }] };
      },
    });
    const said = nextOf<string>((resolve) =>
      session.on('agent_end', (_context, _agent, text) => text !== '' && resolve(text)),
    );
    session.sendMessage('Where is my order #W1?');
    expect(await said).toBe('It says: order #W1 is pending.');
    expect(calls).toEqual(['#W1']);
    expect(errors).toEqual([]);
    expect(server.refusals).toEqual([]);
    expect(server.sessions[0]?.items.unanswered()).toEqual([]);
    expect(server.sessions[0]?.settings).toMatchObject({ tools: ['find_order'], inputFormat: 'pcm24' });
  });

  it('speaks, is answered by the server’s own turn detection, and interrupts', async () => {
    const { session, server, errors, nextOf } = await talk(
      {
        policy: ({ response }) => ({
          say: response === 0 ? 'A long story that nobody wants to hear to its end.' : 'Yes?',
        }),
        fault: ({ response }) => (response === 0 ? { kind: 'hold', afterPieces: 3 } : null),
      },
      { audio: { input: { turnDetection: { type: 'server_vad', silenceDurationMs: 500 } } } },
    );
    let pieces = 0;
    const heard = nextOf<void>((resolve) =>
      session.on('audio', () => {
        pieces += 1;
        if (pieces === 3) resolve();
      }),
    );
    session.sendAudio(tone(400));
    session.sendAudio(new ArrayBuffer(48 * 600));
    await heard;
    const done = nextOf<string>((resolve) =>
      session.on('agent_end', (_context, _agent, text) => text === 'Yes?' && resolve(text)),
    );
    session.sendAudio(tone(400));
    session.sendAudio(new ArrayBuffer(48 * 600));
    expect(await done).toBe('Yes?');
    expect(errors).toEqual([]);
    const cut = server.seen.find(({ type }) => type === 'conversation.item.truncate');
    const told = server.sessions[0]?.items.list.find(({ role }) => role === 'assistant');
    expect(told?.truncatedAtMs).toBe(cut?.body.audio_end_ms ?? null);
  });

  it('is told in the same words what it does wrong', async () => {
    const { session, errors, server, nextOf } = await talk({ policy: () => ({ say: 'Hm.' }) });
    const failed = nextOf<void>((resolve) => session.on('error', () => resolve()));
    session.transport.sendEvent({ type: 'input_audio_buffer.commit' } as never);
    await failed;
    expect(server.refusals[0]).toContain('input_audio_buffer_commit_empty');
    expect(JSON.stringify(errors)).toContain('Expected at least 100ms of audio');
  });
});
