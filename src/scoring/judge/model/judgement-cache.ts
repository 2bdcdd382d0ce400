import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ParsedVerdict } from './parse-verdicts.js';

/** Usable replies by content: the same judge asked the same gives the same verdicts, without asking. */
export interface JudgementCache {
  get(key: string): Promise<readonly ParsedVerdict[] | null>;
  set(key: string, verdicts: readonly ParsedVerdict[]): Promise<void>;
}

export function createMemoryCache(): JudgementCache {
  const kept = new Map<string, readonly ParsedVerdict[]>();
  return {
    get: async (key) => kept.get(key) ?? null,
    set: async (key, verdicts) => void kept.set(key, verdicts),
  };
}

const entrySchema = z.object({
  version: z.literal(1),
  verdicts: z.array(
    z.object({
      turn: z.number().int(),
      verdict: z.union([z.literal(-1), z.literal(0), z.literal(1)]),
      reason: z.string(),
    }),
  ),
});

/** One small file per judgement. A file that cannot be read is as good as none; one that cannot be written costs a request. */
export function createFolderCache(dir: string): JudgementCache {
  const fileOf = (key: string): string => join(dir, `${key}.json`);
  return {
    get: async (key) => {
      try {
        const entry = entrySchema.safeParse(JSON.parse(await readFile(fileOf(key), 'utf8')));
        return entry.success ? entry.data.verdicts : null;
      } catch {
        return null;
      }
    },
    set: async (key, verdicts) => {
      try {
        await mkdir(dir, { recursive: true });
        const draft = `${fileOf(key)}.part`;
        await writeFile(draft, JSON.stringify({ version: 1, verdicts }));
        await rename(draft, fileOf(key));
      } catch {
        // A cache is a convenience; the judgement itself is not lost.
      }
    },
  };
}
