import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openJournal } from '../../src/rollouts/index.js';
import { TASK } from './helpers/engine.js';
import { puppetPlay } from './helpers/puppet-play.js';
import { rewardSink } from './helpers/reward-sink.js';
import { rolloutServer } from './helpers/rollout-server.js';

const one = (id: string, more: object = {}) => ({
  ...{ rollout_id: id, task: TASK, base_url: 'http://127.0.0.1:1/v1', model: 'm', ...more },
});

function journalFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-rollouts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'rollouts.jsonl');
}

describe('a reward on its way', () => {
  it('is tried again after what may pass, with the headers that it was given', async () => {
    const puppet = puppetPlay();
    const answers = [503, 429, 200];
    const sink = await rewardSink((count) => ({ status: answers[count] ?? 500 }));
    const server = await rolloutServer({ play: puppet.play });
    const reward_headers = { Authorization: 'Bearer trainer', 'X-Run': '7' };
    await server.post(one('a', { reward_url: sink.url('/r'), reward_headers }));
    puppet.finish();
    for (let n = 0; n < 3; n += 1) await sink.next();
    await server.sandbox.drain();
    expect(sink.taken.every(({ headers }) => headers.authorization === 'Bearer trainer')).toBe(true);
    expect(new Set(sink.taken.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await server.over('a')).toMatchObject({
      callback: { state: 'delivered', attempts: 3, error: null },
    });
  });

  it('is given up when nobody takes it, or it is refused for good; the state says so and posting again tries again', async () => {
    const puppet = puppetPlay();
    let isUp = false;
    const sink = await rewardSink(() => ({ status: isUp ? 200 : 404 }));
    const closed = createServer();
    await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done));
    const dead = `http://127.0.0.1:${(closed.address() as { port: number }).port}/r`;
    await new Promise<void>((done) => closed.close(() => done()));
    const server = await rolloutServer({ play: puppet.play, attempts: 3 });
    await server.post([one('dead', { reward_url: dead }), one('refused', { reward_url: sink.url('/r') })]);
    puppet.finish();
    puppet.finish();
    await Promise.all([server.over('dead'), server.over('refused')]);
    const settled = async (id: string) => {
      for (;;) {
        const view = await server.over(id);
        if (view.callback.state !== 'pending') return view;
      }
    };
    expect(await settled('dead')).toMatchObject({
      ...{ state: 'done', result: { reward: 1 } },
      callback: { state: 'failed', attempts: 3, error: expect.stringContaining('ECONNREFUSED') },
    });
    expect(await settled('refused')).toMatchObject({
      callback: { state: 'failed', attempts: 1, error: 'it answered 404' },
    });
    isUp = true;
    await server.post(one('refused', { reward_url: sink.url('/r') }));
    await sink.next();
    expect(await settled('refused')).toMatchObject({ callback: { state: 'delivered', attempts: 2 } });
  });

  it('is delivered by any 2xx, whatever and however much it says, and is posted once', async () => {
    const puppet = puppetPlay();
    const sink = await rewardSink(() => ({ status: 200, body: 'x'.repeat(10_000_000) }));
    const server = await rolloutServer({ play: puppet.play });
    await server.post(one('a', { reward_url: sink.url('/r') }));
    puppet.finish();
    await sink.next();
    await server.sandbox.drain();
    expect(await server.over('a')).toMatchObject({
      callback: { state: 'delivered', attempts: 1, error: null },
    });
    expect(sink.taken).toHaveLength(1);
  });

  it('carries our content type and key, whatever capitals the trainer writes its own in', async () => {
    const puppet = puppetPlay();
    const sink = await rewardSink();
    const server = await rolloutServer({ play: puppet.play });
    const reward_headers = { 'Content-Type': 'text/plain', 'IDEMPOTENCY-KEY': 'theirs', 'X-Run': '7' };
    await server.post(one('a', { reward_url: sink.url('/r'), reward_headers }));
    puppet.finish();
    expect((await sink.next()).headers).toMatchObject({
      ...{ 'content-type': 'application/json', 'idempotency-key': 'a', 'x-run': '7' },
    });
  });

  it('does not follow a redirect, nor read an answer without end', async () => {
    const puppet = puppetPlay();
    const other = await rewardSink();
    const sink = await rewardSink((count) =>
      count === 0 ? { status: 307, headers: { location: other.url('/stolen') } } : { status: 200 },
    );
    const server = await rolloutServer({ play: puppet.play });
    await server.post(one('a', { reward_url: sink.url('/r') }));
    puppet.finish();
    await sink.next();
    await server.sandbox.drain();
    expect(await server.over('a')).toMatchObject({ callback: { state: 'failed', error: 'it answered 307' } });
    expect(other.taken).toEqual([]);
  });
});

describe('a restart', () => {
  it("delivers what was not delivered, and calls what was unfinished the platform's failure", async () => {
    const journal = journalFile();
    const puppet = puppetPlay();
    const sink = await rewardSink((count) => ({ status: count === 0 ? 500 : 200 }));
    const before = await rolloutServer({ play: puppet.play, journal, maxRunning: 1, attempts: 100_000 });
    const reward_url = sink.url('/r');
    await before.post([one('told', { reward_url }), one('running', { reward_url }), one('queued')]);
    puppet.finish();
    await sink.next();
    // As a killed process leaves it: the rest of this one no longer counts.
    const kept = readFileSync(journal, 'utf8')
      .split('\n')
      .filter((line) => !line.includes('"callback"'))
      .join('\n');
    const copy = journalFile();
    appendFileSync(copy, `${kept}{"type":"ended","rollout_id":"runn`);
    const after = await rolloutServer({ journal: copy });
    const bodies = [await sink.next(), await sink.next(), await sink.next()].map(({ body }) => body);
    expect(bodies).toContainEqual(expect.objectContaining({ rollout_id: 'running', state: 'invalid' }));
    expect(bodies).toContainEqual(expect.objectContaining({ rollout_id: 'told', state: 'done' }));
    expect(await after.over('running')).toMatchObject({
      result: { valid: false, reward: null, end: { reason: 'platform_failed', owner: 'platform' } },
    });
    expect(await after.over('queued')).toMatchObject({ state: 'invalid', callback: { state: 'none' } });
    await after.sandbox.drain();
    const again = await rolloutServer({ journal: copy });
    expect((await again.over('running')).callback.state).toBe('delivered');
    expect((await again.post(one('told', { reward_url }))).status).toBe(200);
  });

  it('has neither keys nor headers in its journal, which only its owner reads; a callback that needs them waits', async () => {
    const journal = journalFile();
    const puppet = puppetPlay();
    const sink = await rewardSink();
    const before = await rolloutServer({ play: puppet.play, journal });
    const wanted = one('a', {
      ...{ reward_url: sink.url('/r'), api_key: 'sk-secret-1', reward_headers: { 'X-Key': 'sk-secret-2' } },
    });
    await before.post(wanted);
    expect(readFileSync(journal, 'utf8')).not.toContain('sk-secret');
    expect(statSync(journal).mode & 0o077).toBe(0);
    const copy = journalFile();
    appendFileSync(copy, readFileSync(journal, 'utf8'));
    const after = await rolloutServer({ journal: copy });
    expect(await after.over('a')).toMatchObject({ state: 'invalid', callback: { state: 'waiting' } });
    expect((await after.ask('GET', '/v1/rollouts')).body.counts.undelivered).toBe(1);
    expect((await after.post(wanted)).status).toBe(200);
    expect((await sink.next()).headers['x-key']).toBe('sk-secret-2');
  });

  it('reads only the end of a journal that has grown very long, from the beginning of a line', async () => {
    const journal = journalFile();
    const puppet = puppetPlay();
    const server = await rolloutServer({ play: puppet.play, journal });
    for (const id of ['a', 'b', 'c']) {
      await server.post(one(id));
      puppet.finish();
      await server.over(id);
    }
    const { size } = statSync(journal);
    const { lines } = openJournal(journal, Math.round(size / 2));
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.length).toBeLessThan(6);
    expect(lines.at(-1)).toMatchObject({ type: 'ended', rollout_id: 'c' });
    expect(openJournal(journal).lines).toHaveLength(6);
  });

  it('refuses a journal that somebody else wrote, with its line', () => {
    const journal = journalFile();
    appendFileSync(journal, '{"type":"accepted","rollout":{}}\n{"type":"ended"}\n');
    expect(() => openJournal(journal)).toThrow(/line 1 of the journal/);
  });

  it('after kill -9 loses nothing that was taken', { timeout: 60_000 }, async () => {
    const folder = resolve(journalFile(), '..');
    const sink = await rewardSink();
    const hung = createServer();
    await new Promise<void>((done) => hung.listen(0, '127.0.0.1', done));
    onTestFinished(() => void hung.close());
    const serve = async () => {
      const child = spawn(process.execPath, [
        'dist/cli/main.js',
        'serve',
        '--mode',
        'text',
        '--port',
        '0',
        '--out',
        folder,
      ]);
      onTestFinished(() => void child.kill('SIGKILL'));
      let text = '';
      for await (const piece of child.stdout) {
        text += String(piece);
        const port = /ws:\/\/127\.0\.0\.1:(\d+)\/v1/.exec(text)?.[1];
        if (port !== undefined) return { child, url: `http://127.0.0.1:${port}/v1/rollouts` };
      }
      throw new Error(`it did not serve: ${text}`);
    };
    const before = await serve();
    const { port } = hung.address() as { port: number };
    const body = { ...one('a', { reward_url: sink.url('/r') }), base_url: `http://127.0.0.1:${port}/v1` };
    const asked = once(hung, 'connection');
    expect((await fetch(before.url, { method: 'POST', body: JSON.stringify(body) })).status).toBe(202);
    await asked;
    before.child.kill('SIGKILL');
    await once(before.child, 'exit');
    const after = await serve();
    expect((await sink.next()).body).toMatchObject({ rollout_id: 'a', state: 'invalid' });
    const view = await (await fetch(`${after.url}/a`)).json();
    expect(view).toMatchObject({ state: 'invalid', result: { end: { owner: 'platform' } } });
  });
});
