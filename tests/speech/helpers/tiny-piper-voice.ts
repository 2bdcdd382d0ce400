import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  attribute,
  FLOAT,
  INT64,
  node,
  onnxFile,
  scalar,
  TONE_FIELDS,
  tensor,
  value,
  wholes,
} from './onnx-file.js';

/**
 * A voice in Piper's format that the project makes itself: every sound is a tone of 256 samples times the length scale. Noise is
 * added as the noise scale says, so that a test notices if it is not 0.
 */
function tinyPiperModel(): Uint8Array {
  return onnxFile('tiny-voice', [
    node('Gather', [['scales', 'one'], 'length']),
    node('Gather', [['scales', 'zero'], 'noise']),
    node('Gather', [['input_lengths', 'zero'], 'count']),
    node('Cast', [['count'], 'countFloat'], [attribute('to', FLOAT)]),
    node('Mul', [['length', 'frame'], 'soundLength']),
    node('Reshape', [['input', 'flat'], 'ids']),
    ...TONE_FIELDS,
    node('RandomNormalLike', [['tone'], 'random']),
    node('Mul', [['random', 'noise'], 'hiss']),
    node('Add', [['tone', 'hiss'], 'sound']),
    node('Reshape', [['sound', 'shape'], 'output']),
    tensor('shape', INT64, { shape: [4], data: wholes(1, 1, 1, -1) }),
    scalar('pitch', 0.004),
    value(11, 'input', { type: INT64, shape: [1, 'phonemes'] }),
    value(11, 'input_lengths', { type: INT64, shape: [1] }),
    value(11, 'scales', { type: FLOAT, shape: [3] }),
    value(12, 'output', { type: FLOAT, shape: [1, 1, 1, 'time'] }),
  ]);
}

/** Writes `tiny.onnx` and its settings. Every letter of IPA that espeak uses for English has an id. */
export function writeTinyPiperVoice(folder: string): void {
  const signs = [..."_^$ !'(),-.:;?abcdefghijklmnopqrstuvwxyzæçðøħŋœɐɑɒɔəɚɛɜɡɪɫɹɾʃʊʌʒʔˈˌːθᵻ\u0329"];
  const phoneme_id_map = Object.fromEntries(signs.map((sign, id) => [sign, [id]]));
  writeFileSync(join(folder, 'tiny.onnx'), tinyPiperModel());
  writeFileSync(
    join(folder, 'tiny.onnx.json'),
    JSON.stringify({
      ...{
        audio: { sample_rate: 22_050 },
        espeak: { voice: 'en-us' },
        phoneme_type: 'espeak',
        num_speakers: 1,
      },
      ...{ inference: { noise_scale: 0.667, length_scale: 1, noise_w: 0.8 }, phoneme_id_map },
    }),
  );
}
