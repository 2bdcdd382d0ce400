import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { attribute, FLOAT, INT64, node, onnxFile, TONE_FIELDS, tensor, value, wholes } from './onnx-file.js';

/**
 * A voice in Kokoro's format that the project makes itself: every sound is a tone of 256 samples divided by the speed, with the pitch
 * that the style's first number says.
 */
function tinyKokoroModel(tokens: string): Uint8Array {
  return onnxFile('tiny-kokoro', [
    node('Shape', [[tokens], 'sizes']),
    node('Gather', [['sizes', 'one'], 'count']),
    node('Cast', [['count'], 'countFloat'], [attribute('to', FLOAT)]),
    node('Gather', [['speed', 'zero'], 'pace']),
    node('Div', [['frame', 'pace'], 'soundLength']),
    node('Reshape', [['style', 'flat'], 'styleRow']),
    node('Gather', [['styleRow', 'zero'], 'pitch']),
    node('Reshape', [[tokens, 'flat'], 'ids']),
    ...TONE_FIELDS,
    node('Reshape', [['tone', 'shape'], 'audio']),
    tensor('shape', INT64, { shape: [1], data: wholes(-1) }),
    value(11, tokens, { type: INT64, shape: [1, 'sequence_length'] }),
    value(11, 'style', { type: FLOAT, shape: [1, 256] }),
    value(11, 'speed', { type: FLOAT, shape: [1] }),
    value(12, 'audio', { type: FLOAT, shape: ['audio_length'] }),
  ]);
}

/** A `.npy` file of floats [rows, 1, 256]. */
export function npy(values: Float32Array, shape: readonly number[], descr = '<f4'): Buffer {
  const fields = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape.join(', ')}), }`;
  const header = `${fields.padEnd(117)}\n`;
  const start = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length, 0]);
  return Buffer.concat([start, Buffer.from(header), Buffer.from(values.buffer.slice(0))]);
}

/** A zip file as NumPy writes it, with or without compression. */
export function npz(arrays: Readonly<Record<string, Buffer>>, isCompressed: boolean): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, bytes] of Object.entries(arrays)) {
    const packed = isCompressed ? deflateRawSync(bytes) : bytes;
    const file = Buffer.from(`${name}.npy`);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(isCompressed ? 8 : 0, 4);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(file.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, file, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), common, rest, file]));
    parts.push(local);
    at += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, ...directory, Buffer.from('PK\x05\x06'), end]);
}

/** One row for each number of sounds, all alike but for a little. */
function style(pitch: number): Float32Array {
  return Float32Array.from({ length: 510 * 256 }, (_, i) => (i % 256 === 0 ? pitch + i / 1e9 : 0));
}

/** Writes `tiny-kokoro.onnx`, the same with another name of its input, an archive with the styles low and high, and low by itself. */
export function writeTinyKokoroVoice(folder: string): void {
  writeFileSync(join(folder, 'tiny-kokoro.onnx'), tinyKokoroModel('tokens'));
  writeFileSync(join(folder, 'tiny-kokoro-ids.onnx'), tinyKokoroModel('input_ids'));
  const shape = [510, 1, 256];
  const arrays = { low: npy(style(0.002), shape), high: npy(style(0.004), shape) };
  writeFileSync(join(folder, 'styles.bin'), npz(arrays, false));
  writeFileSync(join(folder, 'styles-packed.npz'), npz(arrays, true));
  writeFileSync(join(folder, 'low.bin'), Buffer.from(style(0.002).buffer));
}
