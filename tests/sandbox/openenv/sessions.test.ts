import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../src/shared/index.js';
import { testSandbox } from '../helpers/sandbox.js';
import { call, envClient, http, type Json, reset, say } from './helpers/env-client.js';

let ids = 0;
const rpc = (method: string, params: Json = {}) => {
  ids += 1;
  return { jsonrpc: '2.0', id: ids, method, params };
};

describe('sessions that HTTP and a socket share', () => {
  it('are created over POST /mcp, attached to by ?session_id=, and play one episode together', async () => {
    const { sandbox, nextEnd } = await testSandbox();
    const created = await http(sandbox, 'POST', '/mcp', rpc('openenv/session/create'));
    const { session_id } = created.body.result;
    const client = await envClient(sandbox, `/ws?session_id=${session_id}`);
    const { data } = await client.ask(reset());
    expect(data.metadata.session_id).toBe(session_id);
    const called = await http(
      sandbox,
      'POST',
      '/mcp',
      rpc('tools/call', { name: 'respond_to_user', arguments: { message: 'Good day' }, session_id }),
    );
    expect(called.body.result).toMatchObject({ data: 'You said: Good day', is_error: false });
    const cancelled = await http(
      sandbox,
      'POST',
      '/mcp',
      rpc('tools/call', {
        name: 'cancel_pending_order',
        arguments: { order_id: '#W0000001', reason: 'no longer needed' },
        session_id,
      }),
    );
    expect(cancelled.body.result.is_error).toBe(false);
    expect((await client.ask(call('done'))).data).toMatchObject({ done: true, reward: 1 });
    expect((await nextEnd()).turns).toBe(2);
  });

  it('refuse a second socket, outlive the first, and close only when it is gone', async () => {
    const { sandbox } = await testSandbox();
    const created = await http(sandbox, 'POST', '/mcp', rpc('openenv/session/create'));
    const { session_id } = created.body.result;
    const path = `/ws?session_id=${session_id}`;
    const first = await envClient(sandbox, path);
    await first.ask(reset());
    const second = await envClient(sandbox, path);
    expect(await second.next()).toEqual({
      type: 'error',
      data: { message: `Session ${session_id} already has an attached WebSocket`, code: 'SESSION_ERROR' },
    });
    expect(await second.closed).toBe(1000);
    first.socket.close();
    await first.closed;
    const third = await envClient(sandbox, path);
    expect((await third.ask(say('Still there?'))).data.observation.result.data).toBe(
      'You said: Still there?',
    );
    const closing = await http(sandbox, 'POST', '/mcp', rpc('openenv/session/close', { session_id }));
    expect(closing.body.result).toEqual({ session_id, closed: false, closing: true });
    third.socket.close();
    await third.closed;
    const gone = await http(sandbox, 'POST', '/mcp', rpc('openenv/session/close', { session_id }));
    expect(gone.body.error.message).toBe(`Unknown session_id: ${session_id}`);
  });

  it('are unknown by any other id: the socket is told and closed', async () => {
    const { sandbox } = await testSandbox();
    const client = await envClient(sandbox, '/ws?session_id=zzz');
    expect(await client.next()).toEqual({
      type: 'error',
      data: { message: 'Unknown session_id: zzz', code: 'SESSION_ERROR' },
    });
    expect(await client.closed).toBe(1000);
  });

  it('are bounded: one too many gets CAPACITY_REACHED, and a place that is left is free again', async () => {
    const { sandbox } = await testSandbox({ openEnv: { maxSessions: 1 } });
    const first = await envClient(sandbox);
    await first.ask({ type: 'state' });
    const second = await envClient(sandbox);
    expect(await second.next()).toMatchObject({
      type: 'error',
      data: { code: 'CAPACITY_REACHED', active_sessions: 1, max_sessions: 1 },
    });
    await second.closed;
    const over = await http(sandbox, 'POST', '/mcp', rpc('openenv/session/create'));
    expect(over.body.error).toMatchObject({ code: -32000, data: { active_sessions: 1, max_sessions: 1 } });
    expect(await http(sandbox, 'POST', '/reset', {})).toMatchObject({ status: 503 });
    first.socket.close();
    await first.closed;
    const third = await envClient(sandbox);
    expect((await third.ask({ type: 'state' })).type).toBe('state');
  });

  it("are closed when nobody uses them, and their episode is the agent's", async () => {
    const clock = createManualClock();
    const { sandbox, nextEnd } = await testSandbox({ clock, openEnv: { idleMs: 1000, agentTimeoutMs: 1e9 } });
    const client = await envClient(sandbox);
    await client.ask(reset());
    clock.advance(900);
    await client.ask({ type: 'state' });
    clock.advance(900);
    await client.ask({ type: 'state' });
    clock.advance(1100);
    expect(await client.closed).toBe(1008);
    expect((await nextEnd()).reason).toBe('agent_disconnected');
    // Nothing unasked was sent before the close.
    expect(client.frames).toHaveLength(3);
  });

  it('end with their socket', async () => {
    const { sandbox, nextEnd } = await testSandbox({ openEnv: { maxSessions: 1 } });
    const client = await envClient(sandbox);
    await client.ask(reset());
    client.socket.send(JSON.stringify({ type: 'close' }));
    expect(await client.closed).toBe(1000);
    expect((await nextEnd()).reason).toBe('agent_disconnected');
  });

  it("end as the platform's when the sandbox shuts down", async () => {
    const { sandbox, nextEnd } = await testSandbox();
    const client = await envClient(sandbox);
    await client.ask(reset());
    await sandbox.close();
    expect(await nextEnd()).toMatchObject({ reason: 'shutdown', owner: 'platform' });
  });
});

describe('HTTP reset, step and state', () => {
  it('go on in the session that reset names', async () => {
    const { sandbox } = await testSandbox();
    const opened = await http(sandbox, 'POST', '/reset', { task_id: 'cancel-lamp', seed: 1, nonsense: true });
    expect(opened).toMatchObject({ status: 200, body: { done: false, reward: 0 } });
    const { session_id } = opened.body.metadata;
    const cancel = { order_id: '#W0000001', reason: 'no longer needed' };
    const steps = [call('cancel_pending_order', cancel), call('done')];
    const answers: Json[] = [];
    for (const { data } of steps)
      answers.push((await http(sandbox, 'POST', '/step', { action: data, session_id })).body);
    expect(answers.map(({ done, reward }) => [done, reward])).toEqual([
      [false, 0],
      [true, 1],
    ]);
    expect((await http(sandbox, 'GET', `/state?session_id=${session_id}`)).body).toMatchObject({
      step_count: 2,
      done: true,
    });
    expect((await http(sandbox, 'GET', '/state')).body).toEqual({ episode_id: null, step_count: 0 });
  });

  it('are not there in production mode, nor in its list of paths', async () => {
    const { sandbox } = await testSandbox({ openEnv: { mode: 'production' } });
    for (const [method, path] of [
      ['POST', '/reset'],
      ['POST', '/step'],
      ['GET', '/state'],
    ] as const)
      expect((await http(sandbox, method, path, method === 'POST' ? {} : undefined)).status).toBe(404);
    const { paths } = (await http(sandbox, 'GET', '/openapi.json')).body;
    expect(Object.keys(paths)).not.toEqual(expect.arrayContaining(['/reset']));
    const client = await envClient(sandbox);
    expect((await client.ask(reset())).type).toBe('observation');
  });

  it('say what is wrong with a body as FastAPI does', async () => {
    const { sandbox } = await testSandbox();
    const cases: [string, Json, number][] = [
      ['/step', {}, 422],
      ['/step', { action: { type: 'nonsense' } }, 422],
      ['/step', 'rubbish', 422],
      ['/step', { action: { type: 'list_tools' } }, 400],
      ['/step', { action: { type: 'list_tools' }, session_id: 'zzz' }, 404],
      ['/reset', [], 422],
      ['/reset', { seed: -1 }, 422],
      ['/reset', { task_id: 'no such task' }, 400],
      ['/reset', { split: 'no such split' }, 400],
      ['/reset', { split: 'test', index: 99 }, 400],
    ];
    for (const [path, body, status] of cases) {
      const answer = await http(sandbox, 'POST', path, body);
      expect({ path, body, status: answer.status }).toEqual({ path, body, status });
      expect(answer.body.detail).toBeDefined();
    }
  });
});

describe('the task routes', () => {
  it('name tasks by split and place, and nothing about them', async () => {
    const { sandbox } = await testSandbox();
    const entry = { id: 'cancel-lamp', split: 'test', index: 0 };
    const other = { ...entry, id: 'cancel-lamp-too', index: 1 };
    const post = async (path: string, body: Json) => (await http(sandbox, 'POST', path, body)).body;
    expect((await http(sandbox, 'GET', '/list_environments')).body).toEqual(['retail']);
    expect((await http(sandbox, 'GET', '/Retail/splits')).body).toEqual([{ name: 'test', type: 'test' }]);
    expect(await post('/retail/tasks', { split: 'test' })).toEqual({
      tasks: [entry, other],
      env_name: 'retail',
    });
    expect(await post('/retail/num_tasks', { split: 'test' })).toEqual({ num_tasks: 2 });
    expect(await post('/retail/task', { split: 'test', index: 1 })).toEqual({ task: other });
    expect(await post('/retail/task_range', { split: 'test', start: 1 })).toEqual({ tasks: [other] });
    expect((await http(sandbox, 'POST', '/retail/task', { split: 'test', index: -1 })).status).toBe(400);
    expect(await http(sandbox, 'POST', '/airline/tasks', { split: 'test' })).toEqual({
      ...{ status: 404, body: { detail: "unknown environment 'airline'" } },
    });
  });

  it('are what reset goes by: split and index, or a seed that always draws the same', async () => {
    const { sandbox } = await testSandbox();
    const client = await envClient(sandbox);
    const taskOf = async (data: Json) => (await client.ask({ type: 'reset', data })).data.metadata.task_id;
    expect(await taskOf({ split: 'test', index: 1 })).toBe('cancel-lamp-too');
    const drawn: string[] = [];
    for (let seed = 0; seed < 8; seed += 1) drawn.push(await taskOf({ seed }));
    expect(new Set(drawn).size).toBe(2);
    expect(await taskOf({ seed: 3 })).toBe(drawn[3]);
    expect(await taskOf({ seed: 2 ** 40 })).toMatch(/^cancel-lamp/);
  });
});
