import type { TarEntry } from '../formats/format.js';
import { createHashedFile } from './hashed-file.js';
import type { Sink } from './jsonl-sink.js';

const BLOCK_BYTES = 512;
const MAX_NAME_BYTES = 100;

function octal(value: number, width: number): string {
  return `${value.toString(8).padStart(width - 1, '0')}\0`;
}

/** A ustar header; owner, mode and time are the same for every file, so that equal content gives equal bytes. */
function headerOf({ name, data }: TarEntry): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw new RangeError(`a name in a tar shard may have ${MAX_NAME_BYTES} bytes; got ${name}`);
  header.write(name, 0);
  header.write(octal(0o644, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(data.length, 12), 124);
  header.write(octal(0, 12), 136);
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\0', 257);
  header.write('00', 263);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** A tar file, as WebDataset reads them. */
export function createTarSink(path: string): Sink<TarEntry> {
  const file = createHashedFile(path);
  return {
    add: (entry) => {
      file.write(headerOf(entry));
      file.write(entry.data);
      const rest = entry.data.length % BLOCK_BYTES;
      if (rest > 0) file.write(Buffer.alloc(BLOCK_BYTES - rest));
    },
    close: () => {
      file.write(Buffer.alloc(2 * BLOCK_BYTES));
      return file.finish();
    },
    abandon: file.abandon,
  };
}
