import { sha256Hex } from '../../shared/index.js';
import { type EntryPair, pairEntries } from '../formats/pairs.js';
import type { SourceEntry } from '../source/entry.js';

export type Split = 'train' | 'validation';

/** One entry with its place in its split. */
export interface PlacedEntry {
  readonly entry: SourceEntry;
  readonly index: number;
  /** No earlier entry begins with the same words: same task, mode and customer. */
  readonly isFirstOfPrompt: boolean;
}

/** What stands in the files of one number, the same in every format. */
export interface Shard {
  readonly split: Split;
  /** Counts within the split, from 0. */
  readonly number: number;
  readonly entries: readonly PlacedEntry[];
}

export interface PairShard {
  readonly split: Split;
  readonly number: number;
  readonly pairs: readonly EntryPair[];
}

export interface ShardLimits {
  readonly rows: number;
  /** Of sound; a row that is larger stands alone. */
  readonly audioBytes: number;
  /** Share of the tasks, by their content, that goes into the split "validation". */
  readonly validation: number;
}

/** By the task's content alone: a task never stands on both sides, and adding tasks moves none. */
function splitOf({ taskHash }: SourceEntry, validation: number): Split {
  const place = Number.parseInt(sha256Hex(`validation ${taskHash}`).slice(0, 8), 16) / 2 ** 32;
  return place < validation ? 'validation' : 'train';
}

export function audioBytesOf({ clips }: SourceEntry): number {
  return clips.reduce((sum, { samples }) => sum + 2 * samples, 0);
}

export interface ShardPlan {
  readonly shards: readonly Shard[];
  readonly pairShards: readonly PairShard[];
}

function place(entries: readonly SourceEntry[]): PlacedEntry[] {
  const prompts = new Set<string>();
  return entries.map((entry, index) => {
    const prompt = `${entry.mode} ${entry.pair}`;
    const isFirstOfPrompt = !prompts.has(prompt);
    prompts.add(prompt);
    return { entry, index, isFirstOfPrompt };
  });
}

function cut(split: Split, entries: readonly SourceEntry[], limits: ShardLimits): Shard[] {
  const shards: PlacedEntry[][] = [];
  let bytes = 0;
  for (const placed of place(entries)) {
    const own = audioBytesOf(placed.entry);
    const current = shards.at(-1);
    if (current === undefined || current.length >= limits.rows || bytes + own > limits.audioBytes) {
      shards.push([placed]);
      bytes = own;
    } else {
      current.push(placed);
      bytes += own;
    }
  }
  return shards.map((placed, number) => ({ split, number, entries: placed }));
}

/** Everything that will be written, decided before anything is: that is what makes an export resumable. */
export function planShards(entries: readonly SourceEntry[], limits: ShardLimits): ShardPlan {
  const splits: readonly Split[] = ['train', 'validation'];
  const of = (split: Split): SourceEntry[] =>
    entries.filter((entry) => splitOf(entry, limits.validation) === split);
  return {
    shards: splits.flatMap((split) => cut(split, of(split), limits)),
    pairShards: splits.flatMap((split) => {
      const pairs = pairEntries(of(split));
      const count = Math.ceil(pairs.length / limits.rows);
      return Array.from({ length: count }, (_, number) => ({
        ...{ split, number, pairs: pairs.slice(number * limits.rows, (number + 1) * limits.rows) },
      }));
    }),
  };
}
