import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A voice in Piper's format that the project makes itself: an ONNX graph with the inputs and the output of a real one, in which
 * every sound is a tone of 256 samples times the length scale. Noise is added as the noise scale says, so that a test notices if
 * it is not 0. Written field by field, by https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
 */
type Field = readonly [number: number, value: number | string | Uint8Array];

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}

function message(...fields: readonly Field[]): Uint8Array {
  const bytes: number[] = [];
  for (const [number, value] of fields) {
    if (typeof value === 'number') {
      bytes.push(...varint(number << 3), ...varint(value));
      continue;
    }
    const data = typeof value === 'string' ? Buffer.from(value) : value;
    bytes.push(...varint((number << 3) | 2), ...varint(data.length), ...data);
  }
  return Uint8Array.from(bytes);
}

const FLOAT = 1;
const INT64 = 7;

const attribute = (name: string, value: number): Uint8Array => message([1, name], [3, value], [20, 2]);

function node(
  type: string,
  [inputs, output]: readonly [string[], string],
  attributes: Uint8Array[] = [],
): Field {
  return [
    1,
    message(
      ...inputs.map((input): Field => [1, input]),
      ...([
        [2, output],
        [4, type],
      ] as const),
      ...attributes.map((one): Field => [5, one]),
    ),
  ];
}

function tensor(name: string, type: number, { shape, data }: { shape: number[]; data: Uint8Array }): Field {
  return [5, message(...shape.map((size): Field => [1, size]), [2, type], [8, name], [9, data])];
}

const floats = (...values: number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);
const wholes = (...values: number[]): Uint8Array => new Uint8Array(BigInt64Array.from(values, BigInt).buffer);

function value(
  field: 11 | 12,
  name: string,
  { type, shape }: { type: number; shape: (number | string)[] },
): Field {
  const sizes = shape.map(
    (size): Field => [1, typeof size === 'number' ? message([1, size]) : message([2, size])],
  );
  return [field, message([1, name], [2, message([1, message([1, type], [2, message(...sizes)])])])];
}

export function tinyPiperModel(): Uint8Array {
  const scalar = (name: string, number: number): Field =>
    tensor(name, FLOAT, { shape: [], data: floats(number) });
  const graph = message(
    node('Gather', [['scales', 'one'], 'length']),
    node('Gather', [['scales', 'zero'], 'noise']),
    node('Gather', [['input_lengths', 'zero'], 'count']),
    node('Cast', [['count'], 'countFloat'], [attribute('to', FLOAT)]),
    node('Mul', [['length', 'frame'], 'soundLength']),
    node('Mul', [['countFloat', 'soundLength'], 'total']),
    node('Range', [['start', 'total', 'step'], 'time']),
    node('Div', [['time', 'soundLength'], 'place']),
    node('Floor', [['place'], 'placeFloor']),
    node('Cast', [['placeFloor'], 'rawIndex'], [attribute('to', INT64)]),
    node('Sub', [['count', 'one'], 'last']),
    node('Min', [['rawIndex', 'last'], 'index']),
    node('Reshape', [['input', 'flat'], 'ids']),
    node('Gather', [['ids', 'index'], 'idAtTime']),
    node('Cast', [['idAtTime'], 'idFloat'], [attribute('to', FLOAT)]),
    node('Mul', [['idFloat', 'pitch'], 'angle']),
    node('Mul', [['angle', 'time'], 'phase']),
    node('Sin', [['phase'], 'wave']),
    node('Mul', [['wave', 'quiet'], 'tone']),
    node('RandomNormalLike', [['tone'], 'random']),
    node('Mul', [['random', 'noise'], 'hiss']),
    node('Add', [['tone', 'hiss'], 'sound']),
    node('Reshape', [['sound', 'shape'], 'output']),
    [2, 'tiny-voice'],
    tensor('zero', INT64, { shape: [], data: wholes(0) }),
    tensor('one', INT64, { shape: [], data: wholes(1) }),
    tensor('flat', INT64, { shape: [1], data: wholes(-1) }),
    tensor('shape', INT64, { shape: [4], data: wholes(1, 1, 1, -1) }),
    ...[
      scalar('frame', 256),
      scalar('start', 0),
      scalar('step', 1),
      scalar('pitch', 0.004),
      scalar('quiet', 0.3),
    ],
    value(11, 'input', { type: INT64, shape: [1, 'phonemes'] }),
    value(11, 'input_lengths', { type: INT64, shape: [1] }),
    value(11, 'scales', { type: FLOAT, shape: [3] }),
    value(12, 'output', { type: FLOAT, shape: [1, 1, 1, 'time'] }),
  );
  // IR version 8, operator set 17.
  return message([1, 8], [2, 'parlor tests'], [7, graph], [8, message([1, ''], [2, 17])]);
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
