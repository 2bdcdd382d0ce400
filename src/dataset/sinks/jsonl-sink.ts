import { createHashedFile, type WrittenFile } from './hashed-file.js';

const BUFFER_CHARACTERS = 1 << 18;

/** A shard that takes one value after the other. */
export interface Sink<T> {
  add(value: T): void;
  close(): WrittenFile;
  abandon(): void;
}

/** One JSON value a line. */
export function createJsonlSink(path: string): Sink<object> {
  const file = createHashedFile(path);
  let pending = '';
  const flush = (): void => {
    file.write(Buffer.from(pending));
    pending = '';
  };
  return {
    add: (value) => {
      pending += `${JSON.stringify(value)}\n`;
      if (pending.length > BUFFER_CHARACTERS) flush();
    },
    close: () => {
      flush();
      return file.finish();
    },
    abandon: file.abandon,
  };
}
