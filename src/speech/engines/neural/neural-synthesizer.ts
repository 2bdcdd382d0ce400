import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { type Clock, systemClock } from '../../../shared/index.js';
import { SpeechClosedError, VoiceNeedsError } from '../../errors.js';
import { splitText } from '../../split-text.js';
import type { Synthesizer, Voice } from '../../synthesizer.js';
import { createWorkerPool, type WorkerPool } from '../../worker-pool.js';
import { audibleClip, sayableText } from '../audible-clip.js';
import { type EspeakProgram, openEspeak } from '../espeak/espeak-program.js';
import type { GraphInput, GraphJob, GraphSpeech } from './graph-job.js';
import { joinSpeech } from './join-speech.js';
import { phonemize } from './phonemize.js';

export interface NeuralOptions {
  /** Weights are here, beside the voice files. */
  readonly voicesDir: string;
  /** The PATH variable's value; espeak-ng turns text into sounds. */
  readonly searchPath: string;
  /** Threads; each holds the model. One by default. */
  readonly workers?: number;
  /** For one piece of at most 200 characters; the first one also loads the model. */
  readonly deadlineMs?: number;
  readonly clock?: Clock;
}

/** A voice whose files are read. */
export interface NeuralVoice {
  readonly modelPath: string;
  /** SHA-256 of all that the sound depends on. */
  readonly hash: string;
  readonly sampleRateHz: number;
  readonly espeakVoice: string;
  /** The model's inputs for these sounds. */
  inputs(sounds: string): readonly GraphInput[];
}

/** One format of neural voices. */
export interface NeuralFormat {
  readonly name: string;
  readonly tie: '^' | null;
  /** Rejects with `VoiceNeedsError`. */
  open(voice: Voice): Promise<NeuralVoice>;
}

const MAX_PIECE_CHARS = 200;

function workerUrl(): URL {
  const here = import.meta.url;
  const folder = here.endsWith('.ts')
    ? here.replace(/\/src\/speech\/engines\/neural\/[^/]*$/, '/dist/speech/engines/neural/')
    : here;
  return new URL('./graph-worker.js', folder);
}

/** Voices that are ONNX graphs, through the optional package onnxruntime-node, in threads. */
export async function createNeuralSynthesizer(
  format: NeuralFormat,
  options: NeuralOptions,
): Promise<Synthesizer> {
  const { searchPath, workers = 1, deadlineMs = 120_000, clock = systemClock } = options;
  try {
    createRequire(import.meta.url).resolve('onnxruntime-node');
  } catch (error) {
    throw new VoiceNeedsError(
      'neural voices run in the package onnxruntime-node, which is not installed; run npm i --include=optional',
      error,
    );
  }
  const espeak: EspeakProgram = await openEspeak({ searchPath, clock });
  const pool: WorkerPool<GraphJob, GraphSpeech> = createWorkerPool({
    startWorker: () => new Worker(workerUrl(), { execArgv: [] }),
    ...{ size: workers, maxQueued: 1000, deadlineMs, clock },
  });
  let closed = false;

  async function speakPiece(text: string, voice: NeuralVoice): Promise<Float32Array> {
    const sounds = await phonemize(espeak, text, { espeakVoice: voice.espeakVoice, tie: format.tie });
    const { amplitudes } = await pool.run({ modelPath: voice.modelPath, inputs: voice.inputs(sounds) });
    return amplitudes;
  }

  return {
    name: format.name,
    identify: async (voice) => {
      const { hash } = await format.open(voice);
      return `weights ${hash.slice(0, 12)}, espeak-ng/${espeak.version}`;
    },
    async synthesize({ spoken, voice }) {
      if (closed) throw new SpeechClosedError();
      const pieces = splitText(sayableText(spoken), MAX_PIECE_CHARS).filter((piece) =>
        /[\p{L}\p{N}]/u.test(piece),
      );
      const opened = await format.open(voice);
      const parts = await Promise.all(pieces.map((piece) => speakPiece(piece, opened)));
      const { sampleRateHz } = opened;
      return audibleClip(
        { samples: joinSpeech(parts, sampleRateHz), sampleRateHz },
        spoken,
        `the voice model ${opened.modelPath}`,
      );
    },
    close() {
      closed = true;
      return pool.close();
    },
  };
}
