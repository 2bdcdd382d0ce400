import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { z } from 'zod';
import { decodeWav } from '../audio/index.js';
import { sha256Hex } from '../shared/index.js';
import { ClipCacheError } from './errors.js';
import type { Clip } from './synthesizer.js';
import { wavBytes } from './wav-bytes.js';
import { areInOrder, type WordTime } from './word-times.js';

/**
 * Clips on disk, one file per key: the WAV file's SHA-256 as 64 hex digits and a line end; a line that is empty or has the times
 * of its words, as the first 16 digits of their own SHA-256 and JSON; then the WAV file.
 */
export interface ClipFiles {
  /** Null when there is no such entry or it is damaged. */
  read(key: string): Promise<StoredClip | null>;
  write(key: string, clip: StoredClip): Promise<void>;
}

export interface StoredClip {
  readonly clip: Clip;
  readonly sha256: string;
}

const HASH_CHARS = 64;
const WORDS_HASH_CHARS = 16;
const LINE_END = 0x0a;
const wordsSchema = z.array(z.tuple([z.string(), z.number(), z.number()]));
/** Numbers the temporary files of this thread. */
let writes = 0;

function wordsLine(words: readonly WordTime[] | undefined): string {
  if (words === undefined) return '';
  const json = JSON.stringify(words);
  return `${sha256Hex(json).slice(0, WORDS_HASH_CHARS)}${json}`;
}

function parseEntry(bytes: Uint8Array): StoredClip | null {
  const sha256 = Buffer.from(bytes.subarray(0, HASH_CHARS)).toString('latin1');
  const wordsEnd = bytes.indexOf(LINE_END, HASH_CHARS + 1);
  const wav = bytes.subarray(wordsEnd + 1);
  if (bytes[HASH_CHARS] !== LINE_END || wordsEnd < 0 || sha256Hex(wav) !== sha256) return null;
  try {
    const clip = decodeWav(wav);
    if (wordsEnd === HASH_CHARS + 1) return { clip, sha256 };
    const line = Buffer.from(bytes.subarray(HASH_CHARS + 1, wordsEnd)).toString();
    const words: readonly WordTime[] = wordsSchema.parse(JSON.parse(line.slice(WORDS_HASH_CHARS)));
    const whole = line === wordsLine(words) && areInOrder(words, clip.samples.length);
    return whole ? { clip: { ...clip, words }, sha256 } : null;
  } catch {
    return null;
  }
}

export function createClipFiles(folder: string): ClipFiles {
  const pathOf = (key: string): string => join(folder, key.slice(0, 2), `${key}.clip`);
  return {
    async read(key) {
      try {
        return parseEntry(await readFile(pathOf(key)));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw new ClipCacheError(folder, 'read', error);
      }
    },
    // Another process may write the same entry: each writes its own temporary file, and the rename puts a whole one in place.
    async write(key, { clip, sha256 }) {
      const path = pathOf(key);
      writes += 1;
      const temporary = `${path}.${process.pid}-${threadId}-${writes}.tmp`;
      try {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(
          temporary,
          Buffer.concat([Buffer.from(`${sha256}\n${wordsLine(clip.words)}\n`), wavBytes(clip)]),
        );
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => {});
        throw new ClipCacheError(folder, 'write', error);
      }
    },
  };
}
