import { existsSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UNFINISHED } from '../sinks/hashed-file.js';
import type { ClipFormat } from './clip-coder.js';

/** Clips of a dataset by content: the same sound is stored once, however many rows play it. */
export interface AudioStore {
  /** @param path as `clipPath` gives it */
  put(path: string, bytes: Uint8Array): void;
}

/** Two letters of the hash make a folder, for folders with a million files are slow everywhere. */
export function clipPath(sha256: string, format: ClipFormat): string {
  return `audio/${sha256.slice(0, 2)}/${sha256}.${format}`;
}

export function createAudioStore(dir: string): AudioStore {
  return {
    put: (name, bytes) => {
      const path = join(dir, name);
      if (existsSync(path) && statSync(path).size === bytes.length) return;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(`${path}${UNFINISHED}`, bytes);
      renameSync(`${path}${UNFINISHED}`, path);
    },
  };
}
