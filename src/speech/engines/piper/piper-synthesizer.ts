import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Pcm } from '../../../audio/index.js';
import { type Clock, describeError, sha256Hex, systemClock } from '../../../shared/index.js';
import { SpeechClosedError, SynthesisError, VoiceNeedsError } from '../../errors.js';
import { splitText } from '../../split-text.js';
import type { Synthesizer, Voice } from '../../synthesizer.js';
import { createWorkerPool, type WorkerPool } from '../../worker-pool.js';
import { audibleClip, sayableText } from '../audible-clip.js';
import { type EspeakProgram, openEspeak } from '../espeak/espeak-program.js';
import { phonemeIds, phonemize } from './phonemes.js';
import { type PiperConfig, parsePiperConfig } from './piper-config.js';
import type { PiperJob, PiperSpeech } from './piper-job.js';

interface PiperOptions {
  /** Models are here: `NAME.onnx` and `NAME.onnx.json`. */
  readonly voicesDir: string;
  /** The PATH variable's value; espeak-ng turns text into sounds. */
  readonly searchPath: string;
  /** Threads; each holds the model. One by default. */
  readonly workers?: number;
  /** For one piece of at most 200 characters; the first one also loads the model. */
  readonly deadlineMs?: number;
  readonly clock?: Clock;
}

interface Model {
  readonly path: string;
  readonly hash: string;
  readonly config: PiperConfig;
}

const MAX_MODEL_BYTES = 500_000_000;
const MAX_PIECE_CHARS = 200;
const JOIN_PAUSE_MS = 200;

function workerUrl(): URL {
  const here = import.meta.url;
  const folder = here.endsWith('.ts')
    ? here.replace(/\/src\/speech\/engines\/piper\/[^/]*$/, '/dist/speech/engines/piper/')
    : here;
  return new URL('./piper-worker.js', folder);
}

/** `name.onnx`, or `name.onnx#3` for the fourth speaker of a model with several. */
function partsOf({ engineVoice, id }: Voice, voicesDir: string): { path: string; speaker: number } {
  const match = /^([\w.-]+\.onnx)(?:#(\d{1,4}))?$/.exec(engineVoice);
  if (match === null)
    throw new VoiceNeedsError(
      `voice '${id}': expected engineVoice to be a file like name.onnx (name.onnx#3 for a speaker); got '${engineVoice}'`,
    );
  return { path: join(voicesDir, match[1] as string), speaker: Number(match[2] ?? 0) };
}

async function readModel(path: string): Promise<Model> {
  try {
    const [bytes, config] = await Promise.all([readFile(path), readFile(`${path}.json`, 'utf8')]);
    if (bytes.length > MAX_MODEL_BYTES) throw new RangeError(`${path} has ${bytes.length} bytes`);
    return { path, hash: sha256Hex(bytes), config: parsePiperConfig(`${path}.json`, config) };
  } catch (error) {
    if (error instanceof VoiceNeedsError) throw error;
    throw new VoiceNeedsError(
      `this voice needs the weights ${path} and ${path}.json, which cannot be read: ${describeError(error)}`,
      error,
    );
  }
}

/** Peaks at 90 % of full scale, as Piper does it: the graph's own level differs from sentence to sentence. */
function toPcm16(amplitudes: Float32Array): Int16Array {
  let peak = 0.01;
  for (const value of amplitudes) peak = Math.max(peak, Math.abs(value));
  if (!Number.isFinite(peak)) throw new SynthesisError('the voice model gave numbers that are no sound');
  const scale = (0.9 * 32_767) / peak;
  return Int16Array.from(amplitudes, (value) => Math.round(value * scale));
}

function join16(parts: readonly Int16Array[], pause: number): Int16Array {
  const total = parts.reduce((sum, part) => sum + part.length + pause, -pause);
  const samples = new Int16Array(Math.max(0, total));
  let at = 0;
  for (const part of parts) {
    samples.set(part, at);
    at += part.length + pause;
  }
  return samples;
}

/** Neural voices in Piper's format, through the optional package onnxruntime-node. Same request, same bytes on one machine. */
export async function createPiperSynthesizer(options: PiperOptions): Promise<Synthesizer> {
  const { voicesDir, searchPath, workers = 1, deadlineMs = 120_000, clock = systemClock } = options;
  try {
    createRequire(import.meta.url).resolve('onnxruntime-node');
  } catch (error) {
    throw new VoiceNeedsError(
      'neural voices run in the package onnxruntime-node, which is not installed; run npm i --include=optional',
      error,
    );
  }
  const espeak: EspeakProgram = await openEspeak({ searchPath, clock });
  const pool: WorkerPool<PiperJob, PiperSpeech> = createWorkerPool({
    startWorker: () => new Worker(workerUrl(), { execArgv: [] }),
    ...{ size: workers, maxQueued: 1000, deadlineMs, clock },
  });
  const models = new Map<string, Promise<Model>>();
  const open = (path: string): Promise<Model> => {
    const found = models.get(path) ?? readModel(path);
    models.set(path, found);
    return found;
  };
  let closed = false;

  async function speakPiece(text: string, model: Model, voice: Voice): Promise<Int16Array> {
    const { config, path } = model;
    const ids = phonemeIds(await phonemize(espeak, text, config.espeak.voice), config);
    const { speaker } = partsOf(voice, voicesDir);
    const { amplitudes } = await pool.run({
      ...{ modelPath: path, ids, lengthScale: config.inference.length_scale * voice.durationStretch },
      speaker: config.num_speakers > 1 ? speaker : null,
    });
    return toPcm16(amplitudes);
  }

  return {
    name: 'piper/1',
    identify: async (voice) => {
      const { hash } = await open(partsOf(voice, voicesDir).path);
      return `weights ${hash.slice(0, 12)}, espeak-ng/${espeak.version}`;
    },
    async synthesize({ spoken, voice }) {
      if (closed) throw new SpeechClosedError();
      const pieces = splitText(sayableText(spoken), MAX_PIECE_CHARS).filter((piece) =>
        /[\p{L}\p{N}]/u.test(piece),
      );
      const model = await open(partsOf(voice, voicesDir).path);
      const parts = await Promise.all(pieces.map((piece) => speakPiece(piece, model, voice)));
      const rate = model.config.audio.sample_rate;
      const pcm: Pcm = {
        samples: join16(parts, Math.round((JOIN_PAUSE_MS * rate) / 1000)),
        sampleRateHz: rate,
      };
      return audibleClip(pcm, spoken, `the voice model ${model.path}`);
    },
    close() {
      closed = true;
      return pool.close();
    },
  };
}
