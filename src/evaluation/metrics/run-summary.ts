import type { EpisodeRecord } from '../../episodes/index.js';
import { type EpisodeSlot, fillSlots } from '../episode-slots.js';
import type { EpisodeLabel } from '../labels.js';
import type { RunManifest } from '../manifest.js';
import { episodeKey } from '../plan.js';
import { type ModeSummary, summariseMode } from './summary.js';

/** One run as numbers: what the table, the JSON document and the report show. */
export interface RunSummary {
  readonly manifest: RunManifest;
  readonly modes: readonly ModeSummary[];
  /** Speech against text of the same task and trial; null unless both were run. */
  readonly pairs: {
    /** Pairs of which both episodes finished. */
    readonly compared: number;
    readonly same: number;
    readonly different: readonly {
      readonly task: string;
      readonly trial: number;
      readonly passedIn: string;
    }[];
  } | null;
}

/** A run folder's content, read back. */
export interface RunData {
  readonly manifest: RunManifest;
  readonly records: readonly EpisodeRecord[];
  readonly labels: readonly EpisodeLabel[];
}

function comparePairs(slots: readonly EpisodeSlot[]): RunSummary['pairs'] {
  const outcomes = new Map(
    slots
      .filter((slot) => slot.state === 'finished')
      .map((slot) => [episodeKey(slot.plan), slot.record?.outcome?.success === true]),
  );
  const pairs = slots.flatMap(({ plan }) => {
    if (plan.mode !== 'speech') return [];
    const speech = outcomes.get(episodeKey(plan));
    const text = outcomes.get(episodeKey({ ...plan, mode: 'text' }));
    return speech === undefined || text === undefined ? [] : [{ plan, speech, text }];
  });
  const different = pairs.filter((pair) => pair.speech !== pair.text);
  return {
    compared: pairs.length,
    same: pairs.length - different.length,
    different: different.map(({ plan, speech }) => ({
      task: plan.task,
      trial: plan.trial,
      passedIn: speech ? 'speech' : 'text',
    })),
  };
}

export function summariseRun(run: RunData): RunSummary {
  const slots = fillSlots(run.manifest, run.records);
  const modes = run.manifest.modes.map((mode) =>
    summariseMode(
      mode,
      slots.filter((slot) => slot.plan.mode === mode),
      run,
    ),
  );
  return { manifest: run.manifest, modes, pairs: modes.length > 1 ? comparePairs(slots) : null };
}
