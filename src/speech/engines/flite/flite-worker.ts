import { parentPort, workerData } from 'node:worker_threads';
import { describeError } from '../../../shared/index.js';
import type { WorkerReply } from '../../worker-pool.js';
import type { FliteJob, FliteSpeech } from './flite-job.js';
import { createFliteProgram } from './flite-program.js';
import { speakJob } from './speak-job.js';
import type { WasmModule } from './web-assembly.js';

// A worker's main file: jobs in, speech out, one at a time.
const port = parentPort;
if (port === null) throw new Error('flite-worker is started by the speech engine, not by hand');
const program = createFliteProgram((workerData as { module: WasmModule }).module);

port.on('message', (job: FliteJob) => {
  let reply: WorkerReply<FliteSpeech>;
  try {
    reply = { ok: true, result: speakJob(program, job) };
  } catch (error) {
    reply = { ok: false, message: describeError(error) };
  }
  const transfer = reply.ok ? [reply.result.samples.buffer as ArrayBuffer] : [];
  port.postMessage(reply, transfer);
});
