import { createHash } from 'node:crypto';
import { closeSync, openSync, renameSync, writeSync } from 'node:fs';

/** A finished file, as a manifest names it. */
export interface WrittenFile {
  readonly bytes: number;
  readonly sha256: string;
}

/** A file that is hashed as it grows and gets its name only when it is whole. */
export interface HashedFile {
  write(chunk: Uint8Array): void;
  finish(): WrittenFile;
  /** Lets go of the file and leaves the unfinished part behind; safe after `finish`. */
  abandon(): void;
}

export const UNFINISHED = '.part';

export function createHashedFile(path: string): HashedFile {
  const draft = `${path}${UNFINISHED}`;
  const descriptor = openSync(draft, 'w');
  const hash = createHash('sha256');
  let bytes = 0;
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  };
  return {
    write: (chunk) => {
      for (let at = 0; at < chunk.length; ) at += writeSync(descriptor, chunk, at);
      hash.update(chunk);
      bytes += chunk.length;
    },
    finish: () => {
      close();
      renameSync(draft, path);
      return { bytes, sha256: hash.digest('hex') };
    },
    abandon: close,
  };
}
