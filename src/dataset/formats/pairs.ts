import type { DatasetRow } from '../rows/row.js';
import type { SourceEntry } from '../source/entry.js';

/** Two rollouts of one task, one worth more than the other. */
export interface PreferencePair {
  readonly better: DatasetRow;
  readonly worse: DatasetRow;
}

/** The same before the rows are read. */
export interface EntryPair {
  readonly better: SourceEntry;
  readonly worse: SourceEntry;
}

const worth = ({ score, outcome }: SourceEntry): number => score ?? 10 * (outcome ?? 0);

/**
 * Per group, the best rollout against the worst, the second best against the second worst and so on, as far as they
 * differ: every rollout is used at most once. Within a group only rollouts of the same customer (the same seed) are
 * compared, for others begin with other words.
 */
export function pairEntries(entries: readonly SourceEntry[]): EntryPair[] {
  const groups = new Map<string, SourceEntry[]>();
  for (const entry of entries) {
    const key = `${entry.run} ${entry.group} ${entry.seed}`;
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return [...groups.values()].flatMap((group) => {
    const ranked = group.toSorted((a, b) => worth(b) - worth(a));
    const pairs: EntryPair[] = [];
    for (let low = 0, high = ranked.length - 1; low < high; low += 1, high -= 1) {
      const better = ranked[low];
      const worse = ranked[high];
      if (better !== undefined && worse !== undefined && worth(better) > worth(worse))
        pairs.push({ better, worse });
    }
    return pairs;
  });
}
