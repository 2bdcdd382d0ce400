import { parentPort } from 'node:worker_threads';
import { describeError } from '../../../shared/index.js';
import type { WorkerReply } from '../../worker-pool.js';
import type { PiperJob, PiperSpeech } from './piper-job.js';
import { createPiperModel, loadRuntime } from './piper-model.js';

// A worker's main file: the runtime blocks the thread that it runs in, so that is not the main one.
const port = parentPort;
if (port === null) throw new Error('piper-worker is started by the speech engine, not by hand');
const model = loadRuntime().then(createPiperModel);

port.on('message', async (job: PiperJob) => {
  let reply: WorkerReply<PiperSpeech>;
  try {
    reply = { ok: true, result: await (await model)(job) };
  } catch (error) {
    reply = { ok: false, message: describeError(error) };
  }
  port.postMessage(reply, reply.ok ? [reply.result.amplitudes.buffer as ArrayBuffer] : []);
});
