import { countSteps, type StepCounts } from '../curriculum/count-steps.js';
import type { SourceEntry } from '../source/entry.js';

export interface Share {
  readonly name: string;
  readonly episodes: number;
  readonly share: number;
}

export interface Bin {
  /** From, included. */
  readonly from: number;
  /** To, not included but in the last bin. */
  readonly to: number;
  readonly count: number;
}

/** A dataset in figures, from its entries alone. */
export interface DatasetStatistics {
  readonly episodes: number;
  readonly groups: number;
  /** Groups by their size. */
  readonly groupSizes: Readonly<Record<string, number>>;
  /** Groups whose episodes differ in what they are worth. */
  readonly variedGroups: number;
  readonly tasks: number;
  /** Speech and text episodes of the same task, seed and customer script. */
  readonly speechTextPairs: number;
  readonly modes: readonly Share[];
  readonly kinds: readonly Share[];
  readonly passed: number;
  readonly judged: number;
  /** Episodes in which a live judge could break in. */
  readonly liveJudged: number;
  readonly turns: number;
  readonly verdicts: { readonly right: number; readonly slip: number; readonly deviation: number };
  readonly meanScore: number | null;
  readonly scores: readonly Bin[];
  readonly turnCounts: readonly Bin[];
  readonly clipSeconds: readonly Bin[];
  readonly clips: number;
  readonly distinctClips: number;
  readonly audioSeconds: number;
  /** Tasks per step of a curriculum; empty where there is none. */
  readonly curriculum: readonly StepCounts[];
}

/** Equal bins over what is there, whole ones for whole numbers; one bin when all is the same. */
export function histogram(values: readonly number[], bins: number): Bin[] {
  if (values.length === 0) return [];
  const low = values.reduce((a, b) => Math.min(a, b));
  const high = values.reduce((a, b) => Math.max(a, b));
  if (low === high) return [{ from: low, to: high, count: values.length }];
  const isWhole = values.every(Number.isInteger);
  const width = isWhole ? Math.ceil((high - low + 1) / bins) : (high - low) / bins;
  const used = isWhole ? Math.ceil((high - low + 1) / width) : bins;
  const counts = new Array<number>(used).fill(0);
  for (const value of values) {
    const place = Math.min(used - 1, Math.floor((value - low) / width));
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts.map((count, place) => ({ from: low + place * width, to: low + (place + 1) * width, count }));
}

function shares(names: readonly (string | null)[]): Share[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name ?? 'not judged', (counts.get(name ?? 'not judged') ?? 0) + 1);
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([name, episodes]) => ({ name, episodes, share: episodes / names.length }));
}

function groupsOf(entries: readonly SourceEntry[]): SourceEntry[][] {
  const groups = new Map<string, SourceEntry[]>();
  for (const entry of entries) {
    const key = `${entry.run} ${entry.group}`;
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return [...groups.values()];
}

function pairsOf(entries: readonly SourceEntry[]): number {
  const modes = new Map<string, Set<string>>();
  for (const { pair, trial, mode } of entries) {
    const key = `${pair} ${trial}`;
    modes.set(key, (modes.get(key) ?? new Set()).add(mode));
  }
  return [...modes.values()].filter((both) => both.size > 1).length;
}

const SCORE_BINS = 20;
const OTHER_BINS = 12;

export function describeEntries(entries: readonly SourceEntry[]): DatasetStatistics {
  const groups = groupsOf(entries);
  const groupSizes: Record<string, number> = {};
  for (const { length } of groups) groupSizes[length] = (groupSizes[length] ?? 0) + 1;
  const scores = entries.flatMap(({ score }) => (score === null ? [] : [score]));
  const clips = entries.flatMap((entry) => (entry.mode === 'speech' ? entry.clips : []));
  const sum = (of: (entry: SourceEntry) => number): number =>
    entries.reduce((all, entry) => all + of(entry), 0);
  return {
    ...{ episodes: entries.length, groups: groups.length, groupSizes },
    variedGroups: groups.filter(
      (group) => new Set(group.map(({ score, outcome }) => score ?? outcome)).size > 1,
    ).length,
    ...{ tasks: new Set(entries.map(({ taskHash }) => taskHash)).size, speechTextPairs: pairsOf(entries) },
    ...{ modes: shares(entries.map(({ mode }) => mode)), kinds: shares(entries.map(({ kind }) => kind)) },
    ...{ passed: sum(({ outcome }) => outcome ?? 0), judged: sum(({ isJudged }) => (isJudged ? 1 : 0)) },
    liveJudged: sum(({ liveJudge }) => (liveJudge === null ? 0 : 1)),
    turns: sum(({ turns }) => turns),
    verdicts: {
      right: sum(({ verdicts }) => verdicts.right),
      slip: sum(({ verdicts }) => verdicts.slip),
      deviation: sum(({ verdicts }) => verdicts.deviation),
    },
    meanScore: scores.length === 0 ? null : scores.reduce((a, b) => a + b, 0) / scores.length,
    scores: histogram(scores, SCORE_BINS),
    turnCounts: histogram(
      entries.map(({ turns }) => turns),
      OTHER_BINS,
    ),
    clipSeconds: histogram(
      clips.map(({ durationMs }) => durationMs / 1000),
      OTHER_BINS,
    ),
    clips: clips.length,
    distinctClips: new Set(clips.map(({ sha256 }) => sha256)).size,
    audioSeconds: clips.reduce((all, { durationMs }) => all + durationMs / 1000, 0),
    curriculum: countSteps(groups.flatMap(([first]) => first?.curriculum ?? [])),
  };
}
