import type { EndOwner, EndReason, Mode } from '../../protocol/index.js';
import { deriveSeed } from '../../shared/index.js';
import type { EpisodeSlot } from '../episode-slots.js';
import { type HearingSummary, readHearing, summariseHearing } from '../hearing/read-hearing.js';
import type { EpisodeLabel } from '../labels.js';
import type { RunManifest } from '../manifest.js';
import { type CallSummary, readCallFacts, summariseCalls } from './call-facts.js';
import { type EpisodeFacts, readFacts } from './episode-facts.js';
import {
  computePassTable,
  countInvalidAsFailed,
  type PassRow,
  type TaskTrials,
  type TrialResult,
} from './pass-table.js';

/** A mean and how many of the finished episodes it covers; null when none. */
export interface Mean {
  readonly mean: number | null;
  readonly episodes: number;
}

interface FaultCount {
  readonly kind: string;
  readonly episodes: number;
  readonly passed: number;
}

/** Everything the table says about one mode. */
export interface ModeSummary {
  readonly mode: Mode;
  readonly episodes: {
    readonly planned: number;
    readonly finished: number;
    readonly passed: number;
    readonly failed: number;
    readonly invalid: number;
    readonly missing: number;
  };
  /** Whose doing it is that an episode did not pass: of the finished ones the agent's, of the invalid ones whoever broke down. */
  readonly faultOwners: Readonly<Record<EndOwner, number>>;
  readonly pass: readonly PassRow[];
  /** The same with invalid episodes taken as failed; null when there are none. */
  readonly passCountingInvalid: readonly PassRow[] | null;
  readonly means: Readonly<Record<MeanName, Mean>>;
  readonly scores: Readonly<Record<ScoreName, Mean>>;
  readonly ends: readonly {
    readonly owner: EndOwner;
    readonly reason: EndReason;
    readonly episodes: number;
    readonly passed: number;
  }[];
  readonly unscored: readonly { readonly component: string; readonly episodes: number }[];
  /** What labels say, where the agent labels itself; null otherwise. */
  readonly injectedFaults: {
    readonly labelled: number;
    readonly withFault: FaultCount;
    readonly kinds: readonly FaultCount[];
  } | null;
  /** How turns were taken: diagnostics, no part of any score. Absent: one after the other, without a clock. */
  readonly turnTaking?: CallSummary;
  /** What was said against what was heard and passed to tools: diagnostics, no part of any score. Absent in text. */
  readonly hearing?: HearingSummary;
  readonly tasks: readonly TaskTrials[];
}

const MEAN_NAMES = [
  'reward',
  'turns',
  'agentMessages',
  'toolCalls',
  'toolErrors',
  'customerWords',
  'audioSeconds',
] as const;
type MeanName = (typeof MEAN_NAMES)[number];
const SCORE_NAMES = ['database', 'writes', 'communicate', 'actions', 'assertions'] as const;
type ScoreName = (typeof SCORE_NAMES)[number];

function meanOf(values: readonly (number | null)[]): Mean {
  const covered = values.filter((value) => value !== null);
  if (covered.length === 0) return { mean: null, episodes: 0 };
  return { mean: covered.reduce((sum, value) => sum + value, 0) / covered.length, episodes: covered.length };
}

function tally<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

function countEnds(facts: readonly EpisodeFacts[]): ModeSummary['ends'] {
  return [...tally(facts, (fact) => fact.reason).values()]
    .map((group) => ({
      owner: (group[0] as EpisodeFacts).owner,
      reason: (group[0] as EpisodeFacts).reason,
      episodes: group.length,
      passed: group.filter((fact) => fact.success).length,
    }))
    .sort((a, b) => b.episodes - a.episodes || (a.reason < b.reason ? -1 : 1));
}

function countUnscored(facts: readonly EpisodeFacts[]): ModeSummary['unscored'] {
  return [
    ...tally(
      facts.flatMap((fact) => [...new Set(fact.unscored)]),
      (component) => component,
    ).entries(),
  ]
    .map(([component, group]) => ({ component, episodes: group.length }))
    .sort((a, b) => (a.component < b.component ? -1 : 1));
}

interface Finished {
  readonly slot: EpisodeSlot;
  readonly facts: EpisodeFacts;
}

function countFaults(
  finished: readonly Finished[],
  labels: readonly EpisodeLabel[],
): ModeSummary['injectedFaults'] {
  const byEpisode = new Map(labels.map((label) => [label.episode, label]));
  const labelled = finished.flatMap(({ slot, facts }) => {
    const label = slot.record === null ? undefined : byEpisode.get(slot.record.header.episode);
    return label === undefined
      ? []
      : [{ facts, kinds: [...new Set(label.faults.map((fault) => fault.kind))] }];
  });
  const count = (kind: string, group: readonly { facts: EpisodeFacts }[]): FaultCount => ({
    kind,
    episodes: group.length,
    passed: group.filter(({ facts }) => facts.success).length,
  });
  const kindCounts = [
    ...tally(
      labelled.flatMap(({ facts, kinds }) => kinds.map((kind) => ({ facts, kind }))),
      (fault) => fault.kind,
    ).entries(),
  ];
  return {
    labelled: labelled.length,
    withFault: count(
      'any',
      labelled.filter((episode) => episode.kinds.length > 0),
    ),
    kinds: kindCounts.map(([kind, group]) => count(kind, group)).sort((a, b) => (a.kind < b.kind ? -1 : 1)),
  };
}

/** @param slots those of one mode, in plan order */
export function summariseMode(
  mode: Mode,
  slots: readonly EpisodeSlot[],
  run: { manifest: RunManifest; labels: readonly EpisodeLabel[] },
): ModeSummary {
  const finished = slots.flatMap((slot): Finished[] => {
    const facts = slot.state === 'finished' && slot.record !== null ? readFacts(slot.record) : null;
    return facts === null ? [] : [{ slot, facts }];
  });
  const facts = finished.map((episode) => episode.facts);
  const turnTaking = summariseCalls(
    finished.map(({ slot }) => (slot.record === null ? null : readCallFacts(slot.record))),
  );
  const hearing = summariseHearing(
    finished.map(({ slot }) => (slot.record === null ? null : readHearing(slot.record))),
  );
  const successOf = new Map(finished.map((episode) => [episode.slot, episode.facts.success]));
  const tasks = [...tally(slots, (slot) => slot.plan.task).entries()].map(([task, group]) => ({
    task,
    trials: group.map((slot): TrialResult => {
      const success = successOf.get(slot);
      if (success === undefined) return slot.state === 'invalid' ? 'invalid' : 'missing';
      return success ? 'passed' : 'failed';
    }),
  }));
  const broken = slots.filter((slot) => slot.state === 'invalid');
  const invalid = broken.length;
  const customerBroke = broken.filter((slot) => slot.record?.end?.reason === 'customer_failed').length;
  const passed = facts.filter((fact) => fact.success).length;
  const { trials, seed, agent } = run.manifest;
  const intervalSeed = deriveSeed(seed, 'interval');
  return {
    mode,
    episodes: {
      planned: slots.length,
      finished: facts.length,
      passed,
      failed: facts.length - passed,
      invalid,
      missing: slots.length - facts.length - invalid,
    },
    faultOwners: {
      agent: facts.length - passed,
      user: customerBroke,
      platform: invalid - customerBroke,
    },
    pass: computePassTable(tasks, trials, intervalSeed),
    passCountingInvalid:
      invalid === 0 ? null : computePassTable(countInvalidAsFailed(tasks), trials, intervalSeed),
    means: Object.fromEntries(
      MEAN_NAMES.map((name) => [name, meanOf(facts.map((fact) => fact[name]))]),
    ) as Record<MeanName, Mean>,
    scores: Object.fromEntries(
      SCORE_NAMES.map((name) => [name, meanOf(facts.map((fact) => fact.scores[name]))]),
    ) as Record<ScoreName, Mean>,
    ends: countEnds(facts),
    unscored: countUnscored(facts),
    ...(turnTaking === null ? {} : { turnTaking }),
    ...(hearing === null ? {} : { hearing }),
    injectedFaults: agent.labels ? countFaults(finished, run.labels) : null,
    tasks,
  };
}
