import { join } from 'node:path';
import { sha256Hex } from '../../../shared/index.js';
import { VoiceNeedsError } from '../../errors.js';
import type { Synthesizer, Voice } from '../../synthesizer.js';
import type { GraphInput } from '../neural/graph-job.js';
import { createNeuralSynthesizer, type NeuralOptions } from '../neural/neural-synthesizer.js';
import { readWeights } from '../neural/read-weights.js';
import { phonemeIds } from './phoneme-ids.js';
import { type PiperConfig, parsePiperConfig } from './piper-config.js';

interface Model {
  readonly hash: string;
  readonly config: PiperConfig;
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
  const [bytes, settings] = await Promise.all([readWeights(path), readWeights(`${path}.json`)]);
  return {
    hash: sha256Hex(sha256Hex(bytes) + sha256Hex(settings)),
    config: parsePiperConfig(`${path}.json`, Buffer.from(settings).toString()),
  };
}

/** Both noises of `scales` are 0: they are drawn inside the graph without a seed, and the same line must be the same bytes. */
function piperInputs(ids: readonly number[], lengthScale: number, speaker: number | null): GraphInput[] {
  return [
    { names: ['input'], type: 'int64', values: ids, shape: [1, ids.length] },
    { names: ['input_lengths'], type: 'int64', values: [ids.length], shape: [1] },
    { names: ['scales'], type: 'float32', values: [0, lengthScale, 0], shape: [3] },
    ...(speaker === null
      ? []
      : [{ names: ['sid'], type: 'int64', values: [speaker], shape: [1] } satisfies GraphInput]),
  ];
}

/**
 * Neural voices in Piper's format: `input` int64 [1, N], `input_lengths` int64 [1], `scales` float [noise, length, noise of
 * durations], `sid` int64 [1] where there are several speakers → float [1, 1, T] or [1, 1, 1, T]. Same request, same bytes on one
 * machine.
 */
export function createPiperSynthesizer(options: NeuralOptions): Promise<Synthesizer> {
  const models = new Map<string, Promise<Model>>();
  return createNeuralSynthesizer(
    {
      name: 'piper/1',
      tie: null,
      async open(voice) {
        const { path, speaker } = partsOf(voice, options.voicesDir);
        const reading = models.get(path) ?? readModel(path);
        models.set(path, reading);
        const { config, hash } = await reading;
        const lengthScale = config.inference.length_scale * voice.durationStretch;
        return {
          modelPath: path,
          hash,
          sampleRateHz: config.audio.sample_rate,
          espeakVoice: config.espeak.voice,
          inputs: (sounds) =>
            piperInputs(phonemeIds(sounds, config), lengthScale, config.num_speakers > 1 ? speaker : null),
        };
      },
    },
    options,
  );
}
