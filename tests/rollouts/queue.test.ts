import { describe, expect, it } from 'vitest';
import { trainingDomain } from '../../src/cli/running/domains.js';
import { generateTrainingTasks } from '../../src/retail/index.js';
import { TASK } from './helpers/engine.js';
import { puppetPlay } from './helpers/puppet-play.js';
import { rewardSink } from './helpers/reward-sink.js';
import { rolloutServer } from './helpers/rollout-server.js';

const one = (id: string, more: object = {}) => ({
  ...{ rollout_id: id, task: TASK, base_url: 'http://127.0.0.1:1/v1', model: 'm', ...more },
});

describe('the queue', () => {
  it('plays so many at once, in order, and turns away what does not fit, all or nothing', async () => {
    const puppet = puppetPlay();
    const server = await rolloutServer({ play: puppet.play, maxRunning: 2, maxQueued: 2 });
    const first = await server.post({ rollouts: ['a', 'b', 'c'].map((id) => one(id)) });
    expect(first.status).toBe(202);
    expect(first.body.rollouts.map(({ state }: { state: string }) => state)).toEqual([
      'running',
      'running',
      'queued',
    ]);
    const full = await server.post([one('d'), one('e')]);
    expect(full.status).toBe(429);
    expect(full.body).toMatchObject({ error: 'too_many' });
    expect(Number(full.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await server.ask('GET', '/v1/rollouts/d')).status).toBe(404);
    expect((await server.post(one('d'))).status).toBe(202);
    expect((await server.post(one('e'))).status).toBe(429);
    expect((await server.post(['1', '2', '3', '4', '5'].map((id) => one(id)))).status).toBe(422);
    // A known one takes no place.
    expect((await server.post([one('a'), one('d')])).status).toBe(202);
    for (const id of ['a', 'b', 'c', 'd']) {
      puppet.finish();
      await server.over(id);
    }
    expect(puppet.begun).toEqual(['a', 'b', 'c', 'd']);
    const { body } = await server.ask('GET', '/v1/rollouts?state=done&limit=3');
    expect(body).toMatchObject({ total: 4, counts: { queued: 0, running: 0, undelivered: 0 } });
    expect(body.rollouts.map(({ rollout_id }: { rollout_id: string }) => rollout_id)).toEqual([
      'b',
      'c',
      'd',
    ]);
  });

  it('plays a rollout once, however often it is posted, and refuses its id for another', async () => {
    const puppet = puppetPlay();
    const server = await rolloutServer({ play: puppet.play });
    await Promise.all(Array.from({ length: 5 }, () => server.post(one('a', { api_key: 'k' }))));
    const twice = await server.post([
      one('a'),
      one('a', { api_key: 'another', reward_headers: { 'X-Key': 'z' } }),
    ]);
    expect(twice.status).toBe(202);
    expect(puppet.begun).toEqual(['a']);
    expect((await server.post(one('a', { seed: 1 }))).status).toBe(409);
    expect((await server.post([one('b'), one('b', { seed: 1 })])).status).toBe(409);
    expect((await server.ask('GET', '/v1/rollouts/b')).status).toBe(404);
    puppet.finish();
    await server.over('a');
    expect((await server.post(one('a'))).status).toBe(200);
  });

  it('cancels what waits and what runs; neither is told about, and places are free again', async () => {
    const puppet = puppetPlay();
    const sink = await rewardSink();
    const server = await rolloutServer({ play: puppet.play, maxRunning: 1 });
    const reward_url = sink.url('/r');
    await server.post([one('a', { reward_url }), one('b', { reward_url }), one('c', { reward_url })]);
    expect(await server.ask('DELETE', '/v1/rollouts/b')).toMatchObject({
      status: 200,
      body: { state: 'cancelled' },
    });
    expect((await server.ask('DELETE', '/v1/rollouts/a')).status).toBe(202);
    expect(await server.over('a')).toMatchObject({
      state: 'cancelled',
      callback: { state: 'none' },
      result: { reward: null },
    });
    puppet.finish();
    puppet.finish();
    await server.over('c');
    expect((await sink.next()).body).toMatchObject({ rollout_id: 'c' });
    expect(puppet.begun).toEqual(['a', 'c']);
    expect((await server.ask('DELETE', '/v1/rollouts/none')).status).toBe(404);
    expect(sink.taken).toHaveLength(1);
  });

  it('waits for the end as long as it is asked to, and lets a client that is gone go', async () => {
    const puppet = puppetPlay();
    const server = await rolloutServer({ play: puppet.play });
    await server.post(one('a'));
    const asked = server.ask('GET', '/v1/rollouts/a?wait=60');
    const gone = new AbortController();
    const left = fetch(`http://127.0.0.1:${server.sandbox.port}/v1/rollouts/a?wait=60`, {
      signal: gone.signal,
    });
    gone.abort();
    await expect(left).rejects.toThrow();
    expect((await server.ask('GET', '/v1/rollouts/a')).body.state).toBe('running');
    puppet.finish();
    expect((await asked).body.state).toBe('done');
    expect((await server.ask('GET', '/v1/rollouts/a?wait=soon')).status).toBe(422);
    expect((await server.ask('GET', '/v1/rollouts/a?wait=3600')).status).toBe(422);
    expect((await server.ask('GET', '/v1/rollouts?state=finished')).status).toBe(422);
  });

  it('drains: nothing new, what waits has failed by the platform, what runs ends and is told', async () => {
    const puppet = puppetPlay();
    const sink = await rewardSink();
    const server = await rolloutServer({ play: puppet.play, maxRunning: 1 });
    await server.post([one('a', { reward_url: sink.url('/a') }), one('b', { reward_url: sink.url('/b') })]);
    const drained = server.sandbox.drain();
    expect((await server.post(one('c'))).status).toBe(503);
    expect(await server.over('b')).toMatchObject({
      state: 'invalid',
      result: { end: { owner: 'platform' } },
    });
    puppet.finish();
    await drained;
    expect(sink.taken.map(({ path }) => path).sort()).toEqual(['/a', '/b']);
    expect(await server.over('a')).toMatchObject({ state: 'done', callback: { state: 'delivered' } });
  });

  it('forgets the oldest that are over and told, and counts all of them', async () => {
    const puppet = puppetPlay();
    const server = await rolloutServer({ play: puppet.play, maxKept: 2 });
    for (const id of ['a', 'b', 'c']) {
      await server.post(one(id));
      puppet.finish();
      await server.over(id);
    }
    expect((await server.ask('GET', '/v1/rollouts/a')).status).toBe(404);
    expect((await server.ask('GET', '/v1/rollouts')).body.total).toBe(2);
    const metrics = await (await fetch(`http://127.0.0.1:${server.sandbox.port}/metrics`)).text();
    expect(metrics).toContain('parlor_rollouts_total{state="done"} 3');
    expect(metrics).toContain('parlor_rollout_seconds_count 3');
    expect(metrics).toContain('parlor_running_rollouts 0');
  });
});

describe('the task of a rollout', () => {
  it('is told to be an evaluation task where it is one, in every answer about it', async () => {
    const server = await rolloutServer({ play: puppetPlay().play });
    const warning = expect.stringContaining(`${TASK} is an evaluation task`);
    expect((await server.post(one('a'))).body).toMatchObject({ rollout_id: 'a', warning });
    expect((await server.ask('GET', '/v1/rollouts/a')).body).toMatchObject({ warning });
    expect((await server.ask('GET', '/v1/rollouts')).body).toMatchObject({ rollouts: [{ warning }] });
    expect((await server.ask('DELETE', '/v1/rollouts/a')).body).toMatchObject({ warning });
  });

  it('is not warned of when it is for training', async () => {
    const tasks = generateTrainingTasks({ count: 1, seed: 7 });
    const server = await rolloutServer({
      ...{ play: puppetPlay().play, sandbox: { domain: trainingDomain(tasks) } },
    });
    const answer = await server.post(one('a', { task: { split: 'train', index: 0 } }));
    expect(answer).toMatchObject({ status: 202, body: { task: tasks[0]?.id } });
    expect(answer.body).not.toHaveProperty('warning');
  });
});
