import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { type Column, isBinary, schemaOf } from '../parquet/column.js';
import { createHashedFile, type HashedFile } from './hashed-file.js';
import type { Sink } from './jsonl-sink.js';

export interface ParquetOptions {
  readonly columns: readonly Column[];
  /** Written into the file's footer. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** A row group is held in memory, once as values and once as pages. */
const GROUP_BYTES = 16 << 20;
const GROUP_ROWS = 1000;
const FLUSH_BYTES = 1 << 20;
const DIRECT_BYTES = 1 << 16;

/** Hands its bytes on as soon as there are enough; `offset` goes on counting, as the footer needs it. */
class FileByteWriter extends ByteWriter {
  readonly #file: HashedFile;

  constructor(file: HashedFile) {
    super(2 * FLUSH_BYTES);
    this.#file = file;
  }

  override ensure(size: number): void {
    if (this.index > FLUSH_BYTES) this.flush();
    super.ensure(size);
  }

  /** A page of sound goes to the file as it is, without a copy. */
  override appendBytes(value: Uint8Array): void {
    if (value.length < DIRECT_BYTES) {
      super.appendBytes(value);
      return;
    }
    this.flush();
    this.#file.write(value);
    this.offset += value.length;
  }

  flush(): void {
    this.#file.write(new Uint8Array(this.buffer, 0, this.index));
    this.index = 0;
  }

  override finish(): void {
    this.flush();
  }
}

/** A close enough size of a value in memory. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (value instanceof Uint8Array) return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let sum = 0;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) sum += sizeOf(inner);
  return sum;
}

/** Rows as a Parquet file, written in groups so that memory stays flat. */
export function createParquetSink(
  path: string,
  { columns, metadata }: ParquetOptions,
): Sink<Readonly<Record<string, unknown>>> {
  const file = createHashedFile(path);
  const writer = new ParquetWriter({
    writer: new FileByteWriter(file),
    schema: schemaOf(columns),
    kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
    createdBy: 'parlor',
  });
  let rows: Readonly<Record<string, unknown>>[] = [];
  let bytes = 0;
  const flush = (): void => {
    if (rows.length === 0) return;
    void writer.write({
      columnData: columns.map(({ name, shape }) => ({
        name,
        data: rows.map((row) => row[name]),
        // Sound neither repeats nor compresses: looking for either costs more than everything else together.
        ...(isBinary(shape) && { encoding: 'PLAIN', codec: 'UNCOMPRESSED', statistics: false }),
      })),
      rowGroupSize: rows.length,
    });
    rows = [];
    bytes = 0;
  };
  return {
    add: (row) => {
      rows.push(row);
      bytes += sizeOf(row);
      if (bytes >= GROUP_BYTES || rows.length >= GROUP_ROWS) flush();
    },
    close: () => {
      flush();
      void writer.finish();
      return file.finish();
    },
    abandon: file.abandon,
  };
}
