import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Converted, DatasetFormat, FormatContext } from '../formats/format.js';
import type { PreferencePair } from '../formats/pairs.js';
import type { DatasetRow } from '../rows/row.js';
import { createJsonlSink, type Sink } from '../sinks/jsonl-sink.js';
import { createParquetSink } from '../sinks/parquet-sink.js';
import { createTarSink } from '../sinks/tar-sink.js';
import type { Counts, DatasetFile } from './export-state.js';

/** One file of one format. */
export interface ShardFile {
  add(row: DatasetRow, context: FormatContext): void;
  addPair(pair: PreferencePair, context: FormatContext): void;
  /** Adds what was skipped to the counts. Null: nothing could be said, so there is no file; loaders trip over empty ones. */
  close(skipped: Counts): DatasetFile | null;
  abandon(): void;
}

export interface ShardPlace {
  readonly dir: string;
  readonly split: string;
  readonly number: number;
}

const EXTENSIONS = { jsonl: 'jsonl', pairs: 'jsonl', parquet: 'parquet', tar: 'tar' } as const;

/** @param isOneRow the values of a row are its parts, not rows of their own */
function keep<T>(sink: Sink<T>, isOneRow = false) {
  let rows = 0;
  const skipped: Counts = {};
  return {
    take: (converted: Converted<T>): void => {
      if ('skipped' in converted) {
        skipped[converted.skipped] = (skipped[converted.skipped] ?? 0) + 1;
        return;
      }
      for (const value of converted.values) sink.add(value);
      rows += isOneRow ? 1 : converted.values.length;
    },
    close: () => ({ written: sink.close(), rows, skipped }),
    abandon: sink.abandon,
  };
}

interface OpenFile {
  readonly add?: ShardFile['add'];
  readonly addPair?: ShardFile['addPair'];
  readonly file: Pick<ReturnType<typeof keep>, 'close' | 'abandon'>;
}

function openFile(format: DatasetFormat, path: string): OpenFile {
  switch (format.kind) {
    case 'jsonl': {
      const file = keep(createJsonlSink(path));
      return { file, add: (row, context) => file.take(format.convert(row, context)) };
    }
    case 'pairs': {
      const file = keep(createJsonlSink(path));
      return { file, addPair: (pair, context) => file.take(format.convert(pair, context)) };
    }
    case 'parquet': {
      const { columns, metadata = {} } = format;
      const file = keep(createParquetSink(path, { columns, metadata }));
      return { file, add: (row, context) => file.take(format.convert(row, context)) };
    }
    case 'tar': {
      const file = keep(createTarSink(path), true);
      return { file, add: (row, context) => file.take(format.convert(row, context)) };
    }
  }
}

export function openShardFile(format: DatasetFormat, { dir, split, number }: ShardPlace): ShardFile {
  const name = `${format.name}/${split}-${String(number).padStart(5, '0')}.${EXTENSIONS[format.kind]}`;
  mkdirSync(dirname(join(dir, name)), { recursive: true });
  const { file, add, addPair } = openFile(format, join(dir, name));
  return {
    add: (row, context) => add?.(row, context),
    addPair: (pair, context) => addPair?.(pair, context),
    close: (skipped) => {
      const { written, rows, skipped: own } = file.close();
      for (const [reason, count] of Object.entries(own)) {
        const key = `${format.name}: ${reason}`;
        skipped[key] = (skipped[key] ?? 0) + count;
      }
      if (rows > 0) return { path: name, format: format.name, split, rows, ...written };
      rmSync(join(dir, name));
      return null;
    },
    abandon: file.abandon,
  };
}
