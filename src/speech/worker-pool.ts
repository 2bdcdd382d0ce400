import type { Worker } from 'node:worker_threads';
import { type Clock, describeError } from '../shared/index.js';
import {
  SpeechClosedError,
  SynthesisError,
  SynthesisQueueFullError,
  SynthesisTimeoutError,
  SynthesisWorkerError,
} from './errors.js';

/** What a worker posts for each job that it was posted. */
export type WorkerReply<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly message: string };

export interface WorkerPoolOptions {
  readonly startWorker: () => Worker;
  readonly size: number;
  /** Jobs that may wait beside the running ones. */
  readonly maxQueued: number;
  /** From the moment a worker takes the job. */
  readonly deadlineMs: number;
  readonly clock: Clock;
}

export interface WorkerPool<Job, Result> {
  run(job: Job): Promise<Result>;
  close(): Promise<void>;
}

interface Task<Job, Result> {
  readonly job: Job;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

interface Slot<Job, Result> {
  readonly worker: Worker;
  task: Task<Job, Result> | null;
  cancelDeadline: () => void;
}

/**
 * Threads that each do one job at a time, first come first served. Workers start when there is work for them, so a worker that
 * dies is replaced by the next job and one that cannot start fails jobs instead of being restarted for ever. An idle pool does
 * not keep the process alive.
 */
export function createWorkerPool<Job, Result>(options: WorkerPoolOptions): WorkerPool<Job, Result> {
  const { startWorker, size, maxQueued, deadlineMs, clock } = options;
  const slots = new Set<Slot<Job, Result>>();
  const queue: Task<Job, Result>[] = [];
  let closing: Promise<void> | null = null;

  /** Takes the job from the worker; null if it has none any more. */
  const release = (slot: Slot<Job, Result>): Task<Job, Result> | null => {
    slot.cancelDeadline();
    const { task } = slot;
    slot.task = null;
    return task;
  };

  const retire = (slot: Slot<Job, Result>, error: Error): void => {
    if (!slots.delete(slot)) return;
    release(slot)?.reject(error);
    void slot.worker.terminate();
    pump();
  };

  const settle = (slot: Slot<Job, Result>, reply: WorkerReply<Result>): void => {
    const task = release(slot);
    slot.worker.unref();
    if (reply.ok) task?.resolve(reply.result);
    else task?.reject(new SynthesisError(`the speech engine failed on this text: ${reply.message}`));
    pump();
  };

  const addSlot = (): Slot<Job, Result> => {
    const slot: Slot<Job, Result> = { worker: startWorker(), task: null, cancelDeadline: () => {} };
    slot.worker.on('message', (reply: WorkerReply<Result>) => settle(slot, reply));
    slot.worker.on('error', (error) => {
      retire(slot, new SynthesisWorkerError(`a speech worker broke: ${describeError(error)}`, error));
    });
    slot.worker.on('exit', (exitCode) => {
      retire(
        slot,
        new SynthesisWorkerError(`a speech worker ended with exit code ${exitCode} in the middle of a line`),
      );
    });
    slots.add(slot);
    return slot;
  };

  const assign = (slot: Slot<Job, Result>, task: Task<Job, Result>): void => {
    slot.task = task;
    slot.cancelDeadline = clock.after(deadlineMs, () => retire(slot, new SynthesisTimeoutError(deadlineMs)));
    slot.worker.ref();
    slot.worker.postMessage(task.job);
  };

  function pump(): void {
    while (queue.length > 0 && closing === null) {
      const idle = [...slots].find((slot) => slot.task === null);
      if (idle === undefined && slots.size >= size) return;
      const task = queue.shift() as Task<Job, Result>;
      try {
        assign(idle ?? addSlot(), task);
      } catch (error) {
        task.reject(
          new SynthesisWorkerError(`a speech worker could not start: ${describeError(error)}`, error),
        );
      }
    }
  }

  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        if (closing !== null) return reject(new SpeechClosedError());
        if (queue.length >= maxQueued) return reject(new SynthesisQueueFullError(maxQueued));
        queue.push({ job, resolve, reject });
        pump();
      }),
    close: () => {
      closing ??= (async () => {
        const open = [...slots];
        slots.clear();
        for (const task of queue.splice(0)) task.reject(new SpeechClosedError());
        for (const slot of open) release(slot)?.reject(new SpeechClosedError());
        await Promise.all(open.map((slot) => slot.worker.terminate()));
      })();
      return closing;
    },
  };
}
