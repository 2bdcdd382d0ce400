import type { SourceEntry } from './entry.js';

/** What goes into a dataset. Each rule that removes something says how much; the order is the one below. */
export interface FilterOptions {
  /** Without effect when null; else only episodes that passed, or failed. */
  readonly outcome: 'pass' | 'fail' | null;
  /** TARL kinds to keep; null: all. */
  readonly kinds: readonly string[] | null;
  readonly modes: readonly string[] | null;
  /** Episodes that the simulated customer spoiled are nothing to learn from, unless asked for. */
  readonly keepCustomerFaults: boolean;
  readonly minTurns: number;
  readonly maxTurns: number;
  /** Of the conversation without the policy. */
  readonly maxCharacters: number;
  /** Smallest share of turns on which the other judge agrees; null: not asked. */
  readonly minAgreement: number | null;
  readonly onlyJudged: boolean;
  /** Episodes in which a judge could break in are not the agent's own work alone. */
  readonly dropLiveJudged: boolean;
  /** Only the first of episodes in which the same was said and done. */
  readonly dropDuplicates: boolean;
  /** Only groups whose episodes differ in S (or R, where there is no S). */
  readonly onlyVaried: boolean;
  /** Only groups with at least this many episodes, cut to exactly so many; null: any. */
  readonly groupSize: number | null;
}

export const KEEP_ALL: FilterOptions = {
  ...{ outcome: null, kinds: null, modes: null, keepCustomerFaults: false },
  ...{ minTurns: 1, maxTurns: Number.MAX_SAFE_INTEGER, maxCharacters: Number.MAX_SAFE_INTEGER },
  ...{
    minAgreement: null,
    onlyJudged: false,
    dropLiveJudged: false,
    dropDuplicates: false,
    onlyVaried: false,
    groupSize: null,
  },
};

export interface FilterStep {
  /** For people. */
  readonly rule: string;
  readonly removed: number;
}

export interface Filtered {
  readonly kept: readonly SourceEntry[];
  /** Every rule that was applied, in order. */
  readonly steps: readonly FilterStep[];
}

type Rule = readonly [rule: string, keep: (entries: readonly SourceEntry[]) => readonly SourceEntry[]];

const each =
  (keep: (entry: SourceEntry) => boolean): Rule[1] =>
  (entries) =>
    entries.filter(keep);

function byGroup(entries: readonly SourceEntry[]): Map<string, SourceEntry[]> {
  const groups = new Map<string, SourceEntry[]>();
  for (const entry of entries) {
    // Runs are apart: another agent or policy is another group.
    const key = `${entry.run} ${entry.group}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return groups;
}

function firstOfEach(entries: readonly SourceEntry[]): SourceEntry[] {
  const seen = new Set<string>();
  return entries.filter(({ contentHash, mode }) => {
    const key = `${mode} ${contentHash}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function variedGroups(entries: readonly SourceEntry[]): SourceEntry[] {
  return [...byGroup(entries).values()]
    .filter((group) => new Set(group.map(({ score, outcome }) => score ?? outcome)).size > 1)
    .flat();
}

function fullGroups(size: number): Rule[1] {
  return (entries) =>
    [...byGroup(entries).values()]
      .filter((group) => group.length >= size)
      .flatMap((group) => group.slice(0, size));
}

function rulesOf(options: FilterOptions): Rule[] {
  const rules: Rule[] = [
    ['cut short: no outcome on record', each(({ outcome, end }) => outcome !== null && end !== null)],
    ['broken off by the platform', each(({ end }) => end?.owner !== 'platform')],
    [`fewer than ${options.minTurns} turns of the agent`, each(({ turns }) => turns >= options.minTurns)],
  ];
  const add = (isAsked: boolean, ...rule: Rule): void => {
    if (isAsked) rules.push(rule);
  };
  const { outcome, kinds, modes, minAgreement, groupSize } = options;
  add(
    !options.keepCustomerFaults,
    "the customer's fault",
    each(({ end }) => end?.reason !== 'customer_failed'),
  );
  add(
    modes !== null,
    `mode is not ${modes?.join(', ')}`,
    each(({ mode }) => modes?.includes(mode) === true),
  );
  add(
    outcome !== null,
    `did not ${outcome}`,
    each((entry) => entry.outcome === (outcome === 'pass' ? 1 : 0)),
  );
  add(
    options.dropLiveJudged,
    'live-judged: a judge could break in',
    each(({ liveJudge }) => liveJudge === null),
  );
  add(
    options.onlyJudged,
    'not judged',
    each(({ isJudged }) => isJudged),
  );
  add(
    kinds !== null,
    `kind is not ${kinds?.join(', ')}`,
    each(({ kind }) => kind !== null && kinds?.includes(kind) === true),
  );
  add(
    options.maxTurns < Number.MAX_SAFE_INTEGER,
    `more than ${options.maxTurns} turns`,
    each(({ turns }) => turns <= options.maxTurns),
  );
  add(
    options.maxCharacters < Number.MAX_SAFE_INTEGER,
    `more than ${options.maxCharacters} characters`,
    each(({ characters }) => characters <= options.maxCharacters),
  );
  add(
    minAgreement !== null,
    `judges agree on less than ${minAgreement} of the turns`,
    each(({ agreement }) => agreement !== null && agreement >= (minAgreement ?? 0)),
  );
  add(options.dropDuplicates, 'the same was said and done before', firstOfEach);
  add(options.onlyVaried, 'all episodes of its group are worth the same', variedGroups);
  add(groupSize !== null, `not one of ${groupSize} episodes of a full group`, fullGroups(groupSize ?? 1));
  return rules;
}

export function filterEntries(entries: readonly SourceEntry[], options: FilterOptions): Filtered {
  const steps: FilterStep[] = [];
  let kept = entries;
  for (const [rule, keep] of rulesOf(options)) {
    const left = keep(kept);
    steps.push({ rule, removed: kept.length - left.length });
    kept = left;
  }
  return { kept, steps };
}
