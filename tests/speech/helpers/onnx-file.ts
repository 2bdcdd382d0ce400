/**
 * ONNX graphs that the project writes itself, field by field, by https://github.com/onnx/onnx/blob/main/onnx/onnx.proto: voices for
 * the tests of engines, with the inputs and the output of real ones.
 */
export type Field = readonly [number: number, value: number | string | Uint8Array];

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}

export function message(...fields: readonly Field[]): Uint8Array {
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

export const FLOAT = 1;
export const INT64 = 7;

export const attribute = (name: string, value: number): Uint8Array => message([1, name], [3, value], [20, 2]);

export function node(
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

export function tensor(
  name: string,
  type: number,
  { shape, data }: { shape: number[]; data: Uint8Array },
): Field {
  return [5, message(...shape.map((size): Field => [1, size]), [2, type], [8, name], [9, data])];
}

export const floats = (...values: number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);
export const wholes = (...values: number[]): Uint8Array =>
  new Uint8Array(BigInt64Array.from(values, BigInt).buffer);

export function value(
  field: 11 | 12,
  name: string,
  { type, shape }: { type: number; shape: (number | string)[] },
): Field {
  const sizes = shape.map(
    (size): Field => [1, typeof size === 'number' ? message([1, size]) : message([2, size])],
  );
  return [field, message([1, name], [2, message([1, message([1, type], [2, message(...sizes)])])])];
}

export const scalar = (name: string, number: number): Field =>
  tensor(name, FLOAT, { shape: [], data: floats(number) });

/**
 * `ids` (one row), `countFloat`, `count`, `soundLength` and `pitch` → `tone`: every sound is a tone of soundLength samples, whose
 * pitch grows with its id.
 */
export const TONE_FIELDS: readonly Field[] = [
  node('Mul', [['countFloat', 'soundLength'], 'total']),
  node('Range', [['start', 'total', 'step'], 'time']),
  node('Div', [['time', 'soundLength'], 'place']),
  node('Floor', [['place'], 'placeFloor']),
  node('Cast', [['placeFloor'], 'rawIndex'], [attribute('to', INT64)]),
  node('Sub', [['count', 'one'], 'last']),
  node('Min', [['rawIndex', 'last'], 'index']),
  node('Gather', [['ids', 'index'], 'idAtTime']),
  node('Cast', [['idAtTime'], 'idFloat'], [attribute('to', FLOAT)]),
  node('Mul', [['idFloat', 'pitch'], 'angle']),
  node('Mul', [['angle', 'time'], 'phase']),
  node('Sin', [['phase'], 'wave']),
  node('Mul', [['wave', 'quiet'], 'tone']),
  tensor('zero', INT64, { shape: [], data: wholes(0) }),
  tensor('one', INT64, { shape: [], data: wholes(1) }),
  tensor('flat', INT64, { shape: [1], data: wholes(-1) }),
  ...[scalar('frame', 256), scalar('start', 0), scalar('step', 1), scalar('quiet', 0.3)],
];

/** The file: IR version 8, operator set 17. */
export function onnxFile(name: string, fields: readonly Field[]): Uint8Array {
  const graph = message(...fields, [2, name]);
  return message([1, 8], [2, 'parlor tests'], [7, graph], [8, message([1, ''], [2, 17])]);
}
