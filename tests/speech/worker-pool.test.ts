import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { createManualClock, systemClock } from '../../src/shared/index.js';
import {
  SpeechClosedError,
  SynthesisError,
  SynthesisQueueFullError,
  SynthesisTimeoutError,
  SynthesisWorkerError,
} from '../../src/speech/index.js';
import { createWorkerPool, type WorkerPool } from '../../src/speech/worker-pool.js';

/** Does what the job says. */
const SCRIPT = `
const { parentPort, threadId } = require('node:worker_threads');
parentPort.on('message', (job) => {
  if (job === 'exit') process.exit(3);
  if (job === 'throw') throw new Error('out of cheese');
  if (job === 'hang') for (;;) {}
  if (job === 'fail') return parentPort.postMessage({ ok: false, message: 'cannot say that' });
  parentPort.postMessage({ ok: true, result: job + ' by ' + threadId });
});`;

let started = 0;
const startWorker = (): Worker => {
  started += 1;
  return new Worker(SCRIPT, { eval: true });
};
const pools: WorkerPool<string, string>[] = [];
function poolOf(options: Partial<Parameters<typeof createWorkerPool>[0]> = {}): WorkerPool<string, string> {
  started = 0;
  const pool = createWorkerPool<string, string>({
    startWorker,
    size: 2,
    maxQueued: 100,
    deadlineMs: 60_000,
    clock: systemClock,
    ...options,
  });
  pools.push(pool);
  return pool;
}
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

describe('worker pool', () => {
  it('shares many jobs among its workers and starts no more than it may', async () => {
    const pool = poolOf();
    const results = await Promise.all(Array.from({ length: 30 }, (_, i) => pool.run(`job ${i}`)));
    expect(results.map((result) => result.split(' by ')[0])).toEqual(results.map((_, i) => `job ${i}`));
    expect(started).toBe(2);
  });

  it('starts one worker when jobs come one after another', async () => {
    const pool = poolOf();
    await pool.run('a');
    await pool.run('b');
    expect(started).toBe(1);
  });

  it.each(['exit', 'throw'])(
    'fails the job of a worker that dies (%s), as retryable, and replaces the worker',
    async (death) => {
      const pool = poolOf({ size: 1 });
      const [lost, next] = await Promise.allSettled([pool.run(death), pool.run('next')]);
      expect(lost).toMatchObject({
        status: 'rejected',
        reason: { code: 'synthesis-worker', retryable: true },
      });
      expect((lost as PromiseRejectedResult).reason).toBeInstanceOf(SynthesisWorkerError);
      expect(next).toMatchObject({ status: 'fulfilled', value: expect.stringContaining('next by ') });
      expect(started).toBe(2);
    },
  );

  it('stops a worker that is past its deadline, even in an endless loop', async () => {
    const clock = createManualClock();
    const pool = poolOf({ size: 1, deadlineMs: 5000, clock });
    const hung = pool.run('hang');
    const next = pool.run('next');
    clock.advance(5000);
    await expect(hung).rejects.toThrow(SynthesisTimeoutError);
    await expect(hung).rejects.toThrow('within 5000 ms');
    expect(await next).toContain('next by ');
  });

  it('does not stop a worker for the deadline of a job that is done', async () => {
    const clock = createManualClock();
    const pool = poolOf({ size: 1, deadlineMs: 5000, clock });
    await pool.run('a');
    clock.advance(10_000);
    await pool.run('b');
    expect(started).toBe(1);
  });

  it('passes on what the engine says about a text and keeps the worker', async () => {
    const pool = poolOf({ size: 1 });
    await expect(pool.run('fail')).rejects.toThrow(SynthesisError);
    await expect(pool.run('fail')).rejects.toThrow('cannot say that');
    await pool.run('a');
    expect(started).toBe(1);
  });

  it('refuses jobs beyond its queue', async () => {
    const pool = poolOf({ size: 1, maxQueued: 2 });
    const accepted = [pool.run('a'), pool.run('b'), pool.run('c')];
    await expect(pool.run('d')).rejects.toThrow(SynthesisQueueFullError);
    await Promise.all(accepted);
    expect(await pool.run('e')).toContain('e by ');
  });

  it('fails jobs, and does not try for ever, when workers cannot start', async () => {
    const pool = poolOf({
      startWorker: () => {
        throw new Error('no such file');
      },
    });
    await expect(pool.run('a')).rejects.toThrow('a speech worker could not start: no such file');
    await expect(pool.run('b')).rejects.toThrow(SynthesisWorkerError);
  });

  it('closes twice, ends running and waiting jobs with one error, and takes no more', async () => {
    const pool = poolOf({ size: 1 });
    const open = [pool.run('hang'), pool.run('waits')];
    const settled = Promise.allSettled(open);
    await Promise.all([pool.close(), pool.close()]);
    for (const result of await settled) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'speech-closed' } });
    }
    await expect(pool.run('late')).rejects.toThrow(SpeechClosedError);
  });
});
