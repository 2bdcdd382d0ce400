import { join } from 'node:path';
import { describeError, sha256Hex } from '../../../shared/index.js';
import { SynthesisError, VoiceNeedsError } from '../../errors.js';
import type { Synthesizer, Voice } from '../../synthesizer.js';
import type { GraphInput } from '../neural/graph-job.js';
import {
  createNeuralSynthesizer,
  type NeuralOptions,
  type NeuralVoice,
} from '../neural/neural-synthesizer.js';
import { readWeights } from '../neural/read-weights.js';
import { kokoroIds, MAX_SOUNDS } from './kokoro-sounds.js';
import { floats, readNumpyArray } from './numpy-archive.js';

const SAMPLE_RATE_HZ = 24_000;
const STYLE_SIZE = 256;

interface Files {
  readonly model: string;
  readonly styles: string;
  readonly style: string;
}

/** `kokoro.onnx#af_heart`: the model and the style's name. */
function filesOf(voice: Voice, voicesDir: string): Files {
  const match = /^([\w.-]+\.onnx)#(\w{1,60})$/.exec(voice.engineVoice);
  if (match === null || voice.kokoro === undefined)
    throw new VoiceNeedsError(
      `voice '${voice.id}': expected engineVoice to be a model and a style like kokoro.onnx#af_heart, and "kokoro": {"styles": "voices-v1.0.bin"}; got '${voice.engineVoice}'`,
    );
  const [, model = '', style = ''] = match;
  return { model: join(voicesDir, model), styles: join(voicesDir, voice.kokoro.styles), style };
}

/** One row for each number of sounds: of an archive of all voices, or of a file with this voice alone. */
function readStyle(file: Uint8Array, { styles, style }: Files): Float32Array {
  try {
    const isArchive = file[0] === 0x50 && file[1] === 0x4b;
    const values = isArchive ? readNumpyArray(file, style).values : floats(file, Math.floor(file.length / 4));
    if (values.length === 0 || values.length % STYLE_SIZE !== 0)
      throw new RangeError(`expected rows of ${STYLE_SIZE} numbers; got ${values.length} numbers`);
    return values;
  } catch (error) {
    throw new VoiceNeedsError(
      `the style '${style}' cannot be read from ${styles}: ${describeError(error)}`,
      error,
    );
  }
}

/** An id of 0 at both ends; the style's row is that of the number of sounds between, as in hexgrad's own pipeline. */
function kokoroInputs(ids: readonly number[], style: Float32Array, speed: number): GraphInput[] {
  if (ids.length === 0 || ids.length > MAX_SOUNDS)
    throw new SynthesisError(`expected 1 to ${MAX_SOUNDS} sounds in a piece of a line; got ${ids.length}`);
  const row = Math.min(ids.length, style.length / STYLE_SIZE) - 1;
  return [
    { names: ['tokens', 'input_ids'], type: 'int64', values: [0, ...ids, 0], shape: [1, ids.length + 2] },
    {
      ...{ names: ['style'], type: 'float32', shape: [1, STYLE_SIZE] },
      values: [...style.subarray(row * STYLE_SIZE, (row + 1) * STYLE_SIZE)],
    },
    { names: ['speed'], type: 'float32', values: [speed], shape: [1] },
  ];
}

/**
 * Neural voices in Kokoro's format (https://huggingface.co/hexgrad/Kokoro-82M, exported to ONNX): `tokens` or `input_ids` int64
 * [1, N <= 512], `style` float [1, 256], `speed` float [1] → float [T] or [1, T] at 24 kHz. Same request, same bytes on one machine,
 * where the export draws no noise of its own.
 */
export function createKokoroSynthesizer(options: NeuralOptions): Promise<Synthesizer> {
  const opened = new Map<string, Promise<Pick<NeuralVoice, 'hash'> & { readonly style: Float32Array }>>();
  const modelHashes = new Map<string, Promise<string>>();

  function hashOf(model: string): Promise<string> {
    const hash = modelHashes.get(model) ?? readWeights(model).then(sha256Hex);
    modelHashes.set(model, hash);
    return hash;
  }
  async function read(files: Files) {
    const style = readStyle(await readWeights(files.styles), files);
    const bytes = new Uint8Array(style.buffer, style.byteOffset, style.byteLength);
    return { style, hash: sha256Hex((await hashOf(files.model)) + sha256Hex(bytes)) };
  }

  return createNeuralSynthesizer(
    {
      name: 'kokoro/1',
      tie: '^',
      async open(voice) {
        const files = filesOf(voice, options.voicesDir);
        const key = JSON.stringify(files);
        const reading = opened.get(key) ?? read(files);
        opened.set(key, reading);
        const { style, hash } = await reading;
        const espeakVoice = voice.kokoro?.espeakVoice ?? 'en-us';
        return {
          ...{ modelPath: files.model, hash, sampleRateHz: SAMPLE_RATE_HZ, espeakVoice },
          inputs: (sounds) => kokoroInputs(kokoroIds(sounds, espeakVoice), style, 1 / voice.durationStretch),
        };
      },
    },
    options,
  );
}
