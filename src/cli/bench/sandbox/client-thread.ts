import { Worker } from 'node:worker_threads';
import type {
  BenchAnswer,
  BenchJob,
  CallJob,
  CallResult,
  DrainJob,
  HoldJob,
  ListenJob,
  ListenResult,
  Received,
  ReleaseJob,
} from './jobs.js';

/** The bench's clients in a thread of their own; jobs one after the other. */
export interface ClientThread {
  run(job: ListenJob): Promise<ListenResult>;
  run(job: DrainJob): Promise<Received>;
  run(job: CallJob): Promise<CallResult>;
  run(job: HoldJob | ReleaseJob): Promise<null>;
  close(): Promise<void>;
}

/** Run from source (tests), the worker is the compiled one. */
function workerUrl(): URL {
  const own = new URL(import.meta.url);
  if (own.pathname.endsWith('.ts')) own.pathname = own.pathname.replace(/\/src\/(?!.*\/src\/)/, '/dist/');
  return new URL('./client-worker.js', own);
}

export function startClientThread(): ClientThread {
  const worker = new Worker(workerUrl(), { execArgv: [] });
  const run = (job: BenchJob): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const fail = (error: Error): void => reject(error);
      worker.once('error', fail);
      worker.once('message', (answer: BenchAnswer) => {
        worker.off('error', fail);
        if (answer.ok) resolve(answer.result);
        else reject(new Error(`the clients of the bench failed: ${answer.message}`));
      });
      worker.postMessage(job);
    });
  return {
    run: run as ClientThread['run'],
    close: async () => void (await worker.terminate()),
  };
}
