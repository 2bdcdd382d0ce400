import { inflateRawSync } from 'node:zlib';

/** One array of a NumPy archive. */
export interface NumpyArray {
  readonly shape: readonly number[];
  /** Row by row. */
  readonly values: Float32Array;
}

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;
const MAX_ARRAY_BYTES = 64_000_000;

interface Entry {
  readonly method: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly at: number;
}

/** The archive's directory, from its end: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3. */
function readDirectory(file: Buffer): Map<string, Entry> {
  const earliest = Math.max(0, file.length - 22 - 65_535);
  let end = file.length - 22;
  while (end >= earliest && file.readUInt32LE(end) !== END_OF_DIRECTORY) end -= 1;
  if (end < earliest) throw new RangeError('expected a NumPy archive (.npz, or .bin of that kind)');
  const entries = new Map<string, Entry>();
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (file.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new RangeError('its directory is damaged');
    const nameBytes = file.readUInt16LE(at + 28);
    entries.set(file.toString('utf8', at + 46, at + 46 + nameBytes), {
      method: file.readUInt16LE(at + 10),
      packedBytes: file.readUInt32LE(at + 20),
      bytes: file.readUInt32LE(at + 24),
      at: file.readUInt32LE(at + 42),
    });
    at += 46 + nameBytes + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return entries;
}

function inflate(packed: Buffer, bytes: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, bytes) });
  } catch (error) {
    throw new RangeError('its compression is damaged', { cause: error });
  }
}

function unpack(file: Buffer, { method, packedBytes, bytes, at }: Entry): Buffer {
  if (bytes > MAX_ARRAY_BYTES)
    throw new RangeError(`an array has ${bytes} bytes, more than ${MAX_ARRAY_BYTES}`);
  const start = at + 30 + file.readUInt16LE(at + 26) + file.readUInt16LE(at + 28);
  const packed = file.subarray(start, start + packedBytes);
  if (packed.length !== packedBytes) throw new RangeError('it is cut off');
  if (method === STORED) return packed;
  if (method === DEFLATED) return inflate(packed, bytes);
  throw new RangeError(`its compression (method ${method}) is unknown`);
}

/** A `.npy` file of little-endian 32-bit floats, row by row: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. */
function parseNpy(file: Buffer): NumpyArray {
  if (file.toString('latin1', 0, 6) !== '\x93NUMPY') throw new RangeError('an array is no .npy file');
  const isFirst = file.readUInt8(6) === 1;
  const start = isFirst ? 10 : 12;
  const headerBytes = isFirst ? file.readUInt16LE(8) : file.readUInt32LE(8);
  const header = file.toString('latin1', start, start + headerBytes);
  const sizes = /'shape': \(([\d, ]*)\)/.exec(header)?.[1];
  if (!/'descr': '<f4'/.test(header) || !/'fortran_order': False/.test(header) || sizes === undefined)
    throw new RangeError(`expected rows of little-endian 32-bit floats; got ${header.trim().slice(0, 120)}`);
  const shape = sizes
    .split(',')
    .filter((size) => size.trim() !== '')
    .map(Number);
  const count = shape.reduce((product, size) => product * size, 1);
  return { shape, values: floats(file.subarray(start + headerBytes), count) };
}

/** Little-endian 32-bit floats, copied: the bytes may lie anywhere in a buffer. */
export function floats(bytes: Uint8Array, count: number): Float32Array {
  if (bytes.length !== count * 4)
    throw new RangeError(`expected ${count * 4} bytes of floats; got ${bytes.length}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Float32Array.from({ length: count }, (_, i) => view.getFloat32(i * 4, true));
}

/**
 * Reads one array of a NumPy archive (`numpy.savez`, `savez_compressed`): a zip file of `NAME.npy`. Throws `RangeError` that says
 * what does not fit, or lists the names.
 */
export function readNumpyArray(archive: Uint8Array, name: string): NumpyArray {
  const file = Buffer.from(archive.buffer, archive.byteOffset, archive.length);
  const entries = readDirectory(file);
  const entry = entries.get(`${name}.npy`);
  if (entry === undefined) {
    const names = [...entries.keys()].map((one) => one.replace(/\.npy$/, ''));
    throw new RangeError(
      `it has no array '${name}'; it has ${names
        .sort((a, b) => (a < b ? -1 : 1))
        .join(', ')
        .slice(0, 600)}`,
    );
  }
  return parseNpy(unpack(file, entry));
}
