import { existsSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UNFINISHED } from '../sinks/hashed-file.js';

/** Clips of a dataset by content: the same sound is stored once, however many rows play it. */
export interface AudioStore {
  pathOf(sha256: string): string;
  put(sha256: string, wav: Uint8Array): void;
}

/** Two letters of the hash make a folder, for folders with a million files are slow everywhere. */
export function clipPath(sha256: string): string {
  return `audio/${sha256.slice(0, 2)}/${sha256}.wav`;
}

export function createAudioStore(dir: string): AudioStore {
  return {
    pathOf: clipPath,
    put: (sha256, wav) => {
      const path = join(dir, clipPath(sha256));
      if (existsSync(path) && statSync(path).size === wav.length) return;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(`${path}${UNFINISHED}`, wav);
      renameSync(`${path}${UNFINISHED}`, path);
    },
  };
}
