import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { describeError } from '../../shared/index.js';
import { DatasetFolderError } from '../errors.js';

const fileSchema = z.object({
  /** From the dataset's folder. */
  path: z.string(),
  format: z.string(),
  split: z.string(),
  rows: z.number().int(),
  bytes: z.number().int(),
  sha256: z.string(),
});
export type DatasetFile = z.infer<typeof fileSchema>;

const countsSchema = z.record(z.string(), z.number());
export type Counts = z.infer<typeof countsSchema>;

const shardDoneSchema = z.object({
  shard: z.string(),
  files: z.array(fileSchema),
  /** What could not be said in a format, by "format: reason". */
  skipped: countsSchema,
  /** Figures that are known only once a row is made, e.g. of tokens. */
  figures: countsSchema,
});
export type ShardDone = z.infer<typeof shardDoneSchema>;

const stateSchema = z.object({
  version: z.literal(1),
  /** SHA-256 over everything that decides the bytes. */
  plan: z.string(),
  done: z.array(shardDoneSchema),
});

const STATE_FILE = '.export.json';

/** How far an export has come; it stands in the folder until the export is whole. */
export interface ExportState {
  readonly done: ReadonlyMap<string, ShardDone>;
  add(shard: ShardDone): Promise<void>;
  remove(): Promise<void>;
}

/** @throws DatasetFolderError when the folder holds a part of another export */
export async function openState(dir: string, plan: string): Promise<ExportState> {
  const path = join(dir, STATE_FILE);
  const text = await readFile(path, 'utf8').catch(() => null);
  const done = new Map<string, ShardDone>();
  if (text !== null) {
    let state: z.infer<typeof stateSchema>;
    try {
      state = stateSchema.parse(JSON.parse(text));
    } catch (cause) {
      throw new DatasetFolderError(
        `${STATE_FILE} in the output folder cannot be read (${describeError(cause).slice(0, 200)}); remove the folder and export again`,
        { cause },
      );
    }
    if (state.plan !== plan)
      throw new DatasetFolderError(
        'the output folder holds a part of another export (other runs, scores, options or version); give another folder, or remove this one',
      );
    for (const shard of state.done) done.set(shard.shard, shard);
  }
  return {
    done,
    add: async (shard) => {
      done.set(shard.shard, shard);
      const draft = `${path}.part`;
      await writeFile(draft, JSON.stringify({ version: 1, plan, done: [...done.values()] }));
      await rename(draft, path);
    },
    remove: () => rm(path, { force: true }),
  };
}
