import { parentPort } from 'node:worker_threads';
import { describeError } from '../../../shared/index.js';
import type { WorkerReply } from '../../worker-pool.js';
import type { GraphJob, GraphSpeech } from './graph-job.js';
import { createGraphRunner, loadRuntime } from './graph-runner.js';

// A worker's main file: the runtime blocks the thread that it runs in, so that is not the main one.
const port = parentPort;
if (port === null) throw new Error('graph-worker is started by the speech engine, not by hand');
const runner = loadRuntime().then(createGraphRunner);

port.on('message', async (job: GraphJob) => {
  let reply: WorkerReply<GraphSpeech>;
  try {
    reply = { ok: true, result: await (await runner)(job) };
  } catch (error) {
    reply = { ok: false, message: describeError(error) };
  }
  port.postMessage(reply, reply.ok ? [reply.result.amplitudes.buffer as ArrayBuffer] : []);
});
