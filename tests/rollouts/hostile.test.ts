import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCallbackHosts } from '../../src/rollouts/index.js';
import { TASK } from './helpers/engine.js';
import { puppetPlay } from './helpers/puppet-play.js';
import { rolloutServer } from './helpers/rollout-server.js';

const GOOD = { task: TASK, base_url: 'http://127.0.0.1:1/v1', model: 'm' };

describe('where a rollout may send anything', () => {
  it.each([
    ['http://127.0.0.1:9/v1', [], true],
    ['http://localhost/v1', [], true],
    ['http://LOCALHOST./v1', [], true],
    ['https://[::1]:8443/v1', [], true],
    ['http://127.1/v1', [], true],
    ['http://169.254.169.254/latest/meta-data', [], false],
    ['http://10.0.0.7:8000/v1', [], false],
    ['http://10.0.0.7:8000/v1', ['10.0.0.0/8'], true],
    ['http://11.0.0.7:8000/v1', ['10.0.0.0/8'], false],
    ['http://0xa9fea9fe/', ['10.0.0.0/8'], false],
    ['http://[::ffff:169.254.169.254]/', [], false],
    ['http://trainer.lab:8000/v1', ['trainer.lab'], true],
    ['http://trainer.lab:8000/v1', ['trainer.lab:8000'], true],
    ['http://trainer.lab:8001/v1', ['trainer.lab:8000'], false],
    ['https://trainer.lab/v1', ['trainer.lab:443'], true],
    ['http://gpu7.lab:1/v1', ['*.lab'], true],
    ['http://lab.evil.com/v1', ['*.lab'], false],
    ['http://trainer.lab.evil.com/v1', ['trainer.lab'], false],
    ['http://[fd00::7]:1/v1', ['fd00::/8'], true],
    ['http://[fd00::7]:1/v1', ['[fd00::/8]:2'], false],
  ])('%s with %j: %s', (url, allowed, isAllowed) => {
    expect(createCallbackHosts(allowed).refuse(url) === null).toBe(isAllowed);
  });

  it.each([
    '',
    'http://x',
    'a b',
    'host:0',
    'host:99999',
    '*',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '[::1',
    'a:b:c',
  ])('--allow-callback %j is refused', (text) => {
    expect(() => createCallbackHosts([text])).toThrow(/--allow-callback takes/);
  });

  it('is checked for both addresses, and told with the flag that would allow it', async () => {
    const server = await rolloutServer({ play: puppetPlay().play });
    const model = await server.post({ ...GOOD, base_url: 'http://169.254.169.254/v1' });
    expect(model).toMatchObject({ status: 403, body: { error: 'forbidden' } });
    expect(model.body.message).toContain('--allow-callback 169.254.169.254');
    expect((await server.post({ ...GOOD, reward_url: 'http://db.internal:5432/' })).status).toBe(403);
  });
});

const nested = (levels: number): unknown =>
  Array.from({ length: levels }).reduce<unknown>((inner) => [inner], 1);
const deep = (levels: number): string =>
  JSON.stringify({ ...GOOD, extra_body: { a: 'HERE' } }).replace(
    '"HERE"',
    '['.repeat(levels) + ']'.repeat(levels),
  );

describe('a body', () => {
  it.each([
    ['no JSON', '{"task"', 400],
    ['a number', '7', 422],
    ['an empty list', '[]', 422],
    ['no task', { base_url: GOOD.base_url, model: 'm' }, 422],
    ['a task that is not there', { ...GOOD, task: 'nobody' }, 422],
    ['a place that is not there', { ...GOOD, task: { index: 99_999 } }, 422],
    ['a split that is not there', { ...GOOD, task: { split: 'secret', index: 0 } }, 422],
    ['a misspelt field', { ...GOOD, temprature: 1 }, 422],
    ['a file', { ...GOOD, base_url: 'file:///etc/passwd' }, 422],
    ['a password', { ...GOOD, base_url: 'http://a:b@127.0.0.1/v1' }, 422],
    ['a header that belongs to the connection', { ...GOOD, reward_headers: { Host: 'x' } }, 422],
    ['a header with a line feed', { ...GOOD, reward_headers: { 'X-A': 'a\nB: c' } }, 422],
    ['an extra body that would replace the messages', { ...GOOD, extra_body: { messages: [] } }, 422],
    ['an id that is a path', { ...GOOD, rollout_id: '../../x y' }, 422],
    ['speech without a voice', { ...GOOD, mode: 's&t' }, 422],
    ['conditions in text', { ...GOOD, conditions: 'regular' }, 422],
    ['both a list and a rollout', { rollouts: [GOOD], task: TASK }, 422],
    ['a batch with one bad rollout', [GOOD, { ...GOOD, seed: -1 }], 422],
    ['an extra body deeper than any stack', deep(5000), 422],
    ['an extra body deeper than any server reads', { ...GOOD, extra_body: { a: nested(64) } }, 422],
    ['a space before the address', { ...GOOD, base_url: ` ${GOOD.base_url}` }, 422],
    ['a line break in the address', { ...GOOD, base_url: 'http://127.0.0.1:1/\r\nv1' }, 422],
    ['a query behind base_url', { ...GOOD, base_url: `${GOOD.base_url}?key=1` }, 422],
    ['port 0', { ...GOOD, base_url: 'http://127.0.0.1:0/v1' }, 422],
    ['one header twice', { ...GOOD, reward_headers: { 'X-Key': 'a', 'x-key': 'b' } }, 422],
    ['more than a megabyte', { ...GOOD, model: 'm'.repeat(2_000_000) }, 413],
  ])('with %s is refused with words', async (_name, body, status) => {
    const puppet = puppetPlay();
    const server = await rolloutServer({ play: puppet.play });
    const answer = await server.post(body);
    expect(answer.status).toBe(status);
    expect(answer.body.message).toMatch(/\w/);
    expect(puppet.begun).toEqual([]);
  });

  it.each([
    [{}, []],
    [7, null],
    [{ index: 'first' }, { id: 1 }],
  ])('with the task %j or %j is told which shapes a task has', async (...tasks) => {
    const server = await rolloutServer({ play: puppetPlay().play });
    for (const task of tasks) {
      const { status, body } = await server.post({ ...GOOD, task });
      expect(status).toBe(422);
      expect(body.message).toContain('at task: a task is its id, or {"id": "…"}, or {"split": "train"');
    }
  });

  it('with a reward address that has a query, and nested as servers read it, is taken', async () => {
    const server = await rolloutServer({ play: puppetPlay().play });
    const extra_body = { guided_json: nested(20) };
    const reward_url = 'http://127.0.0.1:1/r?session=7';
    expect((await server.post({ ...GOOD, extra_body, reward_url })).status).toBe(202);
  });

  it('of rubbish never breaks the server', async () => {
    const puppet = puppetPlay();
    const server = await rolloutServer({ play: puppet.play, maxQueued: 100_000 });
    const value = fc.anything({ maxDepth: 2, withNullPrototype: false });
    const field = fc.constantFrom(
      ...[
        'task',
        'seed',
        'trial',
        'mode',
        'base_url',
        'model',
        'sampling',
        'limits',
        'reward_url',
        'rollout_id',
      ],
      ...[
        'reward_shape',
        'reward_headers',
        'extra_body',
        'api_key',
        'conditions',
        'group_id',
        'reward',
        'tools',
      ],
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(field, value), fc.boolean(), async (fields, isBatch) => {
        const body = JSON.stringify({ ...GOOD, ...fields }, (_key, item: unknown) =>
          typeof item === 'bigint' ? String(item) : item,
        );
        const answer = await server.post(isBatch ? `[${body}]` : body);
        expect([200, 202, 400, 403, 409, 422]).toContain(answer.status);
      }),
      { numRuns: 300 },
    );
    expect(server.faults).toEqual([]);
    expect((await server.ask('GET', '/health')).status).toBe(200);
  });

  it('needs the token where there is one', async () => {
    const server = await rolloutServer({ play: puppetPlay().play, sandbox: { tokens: ['t'] } });
    for (const [method, path] of [
      ['POST', '/v1/rollouts'],
      ['GET', '/v1/rollouts'],
      ['GET', '/v1/rollouts/a'],
      ['DELETE', '/v1/rollouts/a'],
    ] as const)
      expect((await server.ask(method, path, method === 'POST' ? GOOD : undefined)).status).toBe(401);
  });
});
