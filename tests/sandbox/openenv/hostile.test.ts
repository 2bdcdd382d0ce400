import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLOSE_CODES } from '../../../src/protocol/index.js';
import { testSandbox } from '../helpers/sandbox.js';
import { SECRETS } from '../helpers/small-domain.js';
import { call, envClient, http, type Json, reset, say } from './helpers/env-client.js';

const CODES = ['INVALID_JSON', 'UNKNOWN_TYPE', 'VALIDATION_ERROR', 'EXECUTION_ERROR'];

describe('rubbish on /ws', () => {
  it("gets one error frame with the reference's code each, and the socket still plays", async () => {
    const { sandbox } = await testSandbox();
    const client = await envClient(sandbox);
    const cases: [unknown, string][] = [
      ['rubbish', 'INVALID_JSON'],
      ['', 'INVALID_JSON'],
      [Buffer.from([0, 1, 2, 255]), 'INVALID_JSON'],
      ['[1]', 'VALIDATION_ERROR'],
      ['null', 'VALIDATION_ERROR'],
      [{}, 'UNKNOWN_TYPE'],
      [{ type: 'nah' }, 'UNKNOWN_TYPE'],
      [{ type: 7 }, 'UNKNOWN_TYPE'],
      [{ type: 'reset', x: 1 }, 'VALIDATION_ERROR'],
      [{ type: 'reset', data: [] }, 'VALIDATION_ERROR'],
      [{ type: 'reset', data: { seed: 'x' } }, 'VALIDATION_ERROR'],
      [{ type: 'reset', data: { mode: 'smoke signals' } }, 'VALIDATION_ERROR'],
      [{ type: 'reset', data: { task_id: '../../etc/passwd' } }, 'EXECUTION_ERROR'],
      [{ type: 'reset', data: { reward_mode: 'dense' } }, 'EXECUTION_ERROR'],
      [{ type: 'step' }, 'VALIDATION_ERROR'],
      [{ type: 'step', data: { type: 'bogus' } }, 'VALIDATION_ERROR'],
      [{ type: 'step', data: { type: 'call_tool', tool_name: 'done', x: 1 } }, 'VALIDATION_ERROR'],
      [
        { type: 'step', data: { type: 'call_tool', tool_name: 'done', arguments: ['no object'] } },
        'VALIDATION_ERROR',
      ],
      [{ type: 'state', data: {} }, 'VALIDATION_ERROR'],
      [call('done'), 'EXECUTION_ERROR'],
      [`{"type":"step","data":${'['.repeat(500)}${']'.repeat(500)}}`, 'VALIDATION_ERROR'],
    ];
    for (const [frame, code] of cases) {
      const raw = typeof frame === 'string' || Buffer.isBuffer(frame) ? frame : JSON.stringify(frame);
      const answer = await client.askRaw(raw);
      expect({ frame, ...answer, data: answer.data.code }).toEqual({ frame, type: 'error', data: code });
    }
    expect((await client.ask(reset())).type).toBe('observation');
    expect((await client.ask(say('Good day'))).data.done).toBe(false);
  });

  it('never breaks a session, whatever comes in whatever order', async () => {
    const { sandbox } = await testSandbox();
    const frame = fc.oneof(
      fc.json(),
      fc.string(),
      fc
        .record({ type: fc.constantFrom('reset', 'step', 'state', 'mcp', 'nah'), data: fc.anything() })
        .map((value) => JSON.stringify(value)),
      fc
        .constantFrom(reset(), say('Good day'), call('done'), call('nonsense', { a: [{}] }))
        .map((value) => JSON.stringify(value)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { maxLength: 12 }), async (frames) => {
        const client = await envClient(sandbox);
        for (const text of frames) {
          const { type, data } = await client.askRaw(text);
          expect(['observation', 'state', 'mcp', 'error']).toContain(type);
          if (type === 'error') expect(CODES).toContain(data.code);
        }
        client.socket.terminate();
      }),
      { numRuns: 25 },
    );
  });

  it('is cut off where a frame is too large', async () => {
    const { sandbox } = await testSandbox();
    const large = await envClient(sandbox);
    large.socket.send('x'.repeat(5 * 1024 * 1024));
    expect(await large.closed).toBe(1009);
  });

  it('is cut off where frames pile up that nobody could wait for, and others are served', async () => {
    const { sandbox } = await testSandbox();
    const client = await envClient(sandbox);
    for (let count = 0; count < 500; count += 1) client.socket.send(JSON.stringify(reset()));
    expect(await client.closed).toBe(CLOSE_CODES.refused);
    const other = await envClient(sandbox);
    expect((await other.ask(reset())).type).toBe('observation');
  });

  it('is answered one by one, in order, when it comes a little too early', async () => {
    const { sandbox } = await testSandbox();
    const client = await envClient(sandbox);
    await client.ask(reset());
    for (let id = 0; id < 40; id += 1)
      client.socket.send(JSON.stringify({ type: 'mcp', data: { jsonrpc: '2.0', id, method: 'nah' } }));
    for (let id = 0; id < 40; id += 1) expect((await client.next()).data.id).toBe(id);
  });
});

describe("an agent's faults in an episode", () => {
  it('are told as tool errors, count towards the error limit, and change nothing', async () => {
    const { sandbox, nextEnd } = await testSandbox({ limits: { maxErrors: 4 } });
    const client = await envClient(sandbox);
    await client.ask(reset());
    const errorOf = async (frame: Json) => (await client.ask(frame)).data.observation.error?.error_type;
    expect(await errorOf(call('respond_to_user'))).toBe('invalid_args');
    expect(await errorOf(call('respond_to_user', { message: '   ' }))).toBe('invalid_args');
    expect(await errorOf(call('nonsense'))).toBe('tool_not_found');
    const { data } = await client.ask(call('get_order_details', { order_id: 'no such order' }));
    expect(data).toMatchObject({ done: true, reward: 0, metadata: { stop_reason: 'error_limit' } });
    expect(data.observation.result).toMatchObject({ is_error: true });
    expect((await nextEnd()).reason).toBe('error_limit');
  });

  it('that end it while the agent is silent are seen at the next step', async () => {
    const { createManualClock } = await import('../../../src/shared/index.js');
    const clock = createManualClock();
    const { sandbox, nextEnd } = await testSandbox({ clock, openEnv: { agentTimeoutMs: 500 } });
    const client = await envClient(sandbox);
    await client.ask(reset());
    clock.advance(600);
    await nextEnd();
    const { data } = await client.ask(say('Too late'));
    expect(data).toMatchObject({ done: true, reward: 0, metadata: { stop_reason: 'agent_timeout' } });
  });
});

describe('rubbish on /mcp', () => {
  it('over HTTP is answered with 200 and a JSON-RPC error, as the validator wants it', async () => {
    const { sandbox } = await testSandbox();
    const cases: [Json, number][] = [
      [{}, -32600],
      ['rubbish', -32700],
      [[], -32600],
      [{ jsonrpc: '2.0', id: 1, method: 'nonsense' }, -32601],
      [{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { session_id: 'zzz' } }, -32602],
      [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'done' } }, -32602],
      [{ jsonrpc: '2.0', id: 1, method: 'openenv/session/close' }, -32602],
      [{ jsonrpc: '2.0', id: {}, method: 'tools/list' }, -32600],
    ];
    for (const [body, code] of cases) {
      const answer = await http(sandbox, 'POST', '/mcp', body);
      expect({ body, status: answer.status, code: answer.body.error?.code }).toEqual({
        body,
        status: 200,
        code,
      });
    }
  });

  it('over its socket gets an error each, and tools still answer', async () => {
    const { sandbox } = await testSandbox();
    const client = await envClient(sandbox, '/mcp');
    expect((await client.askRaw('rubbish')).error.code).toBe(-32700);
    expect((await client.ask({ id: 1 })).error.code).toBe(-32600);
    const { result } = await client.ask({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
    expect(result.tools[0]).toHaveProperty('inputSchema');
    const opened = await client.ask({ jsonrpc: '2.0', id: 3, method: 'openenv/session/create' });
    const { session_id } = opened.result;
    const closing = { jsonrpc: '2.0', id: 4, method: 'openenv/session/close', params: { session_id } };
    expect((await client.ask(closing)).error.code).toBe(-32600);
  });
});

describe('the ground truth', () => {
  it('is on no route and in no frame, whatever happens in an episode', async () => {
    const { sandbox } = await testSandbox();
    const client = await envClient(sandbox);
    for (const mode of ['t-only', 's&t']) {
      await client.ask(reset({ mode, transcript: true }));
      for (const frame of [
        { type: 'step', data: { type: 'list_tools' } },
        say('Hello?'),
        { type: 'state' },
        call('done'),
        say('Again'),
        { type: 'state' },
      ])
        await client.ask(frame);
    }
    const bodies: unknown[] = [...client.frames];
    for (const path of [
      '/metadata',
      '/schema',
      '/openapi.json',
      '/state',
      '/list_environments',
      '/retail/splits',
    ])
      bodies.push((await http(sandbox, 'GET', path)).body);
    for (const path of ['tasks', 'task', 'task_range'])
      bodies.push(
        (
          await http(sandbox, 'POST', `/retail/${path}`, {
            split: 'test',
            ...(path === 'task' ? { index: 0 } : {}),
          })
        ).body,
      );
    const seen = JSON.stringify(bodies);
    for (const secret of Object.values(SECRETS)) expect(seen).not.toContain(secret);
    expect(seen).not.toMatch(/groundTruth|ground_truth|instruction"/);
  });

  it("is asked for with the server's token, like everything but health", async () => {
    const { sandbox } = await testSandbox({ tokens: ['sesame'] });
    for (const path of ['/metadata', '/schema', '/retail/splits'])
      expect((await http(sandbox, 'GET', path)).status).toBe(401);
    expect((await http(sandbox, 'POST', '/mcp', {})).status).toBe(401);
    await expect(envClient(sandbox)).rejects.toThrow('401');
    const client = await envClient(sandbox, '/ws', { headers: { authorization: 'Bearer sesame' } });
    expect((await client.ask(reset())).type).toBe('observation');
  });
});
