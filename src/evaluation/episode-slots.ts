import type { EpisodeRecord } from '../episodes/index.js';
import { createPlan, episodeKey, type PlanInput, type PlannedEpisode } from './plan.js';

/**
 * What became of one planned episode. `finished`: it has an outcome and counts, whoever ended it. `invalid`: the platform's
 * own failure or that of the simulated customer, so it says nothing about the agent. `missing`: not run, or cut short.
 */
export interface EpisodeSlot {
  readonly plan: PlannedEpisode;
  readonly state: 'finished' | 'invalid' | 'missing';
  readonly record: EpisodeRecord | null;
}

function keyOfRecord(record: EpisodeRecord): string {
  const { task, trial, mode } = record.header;
  return episodeKey({ task: task.id, trial, mode });
}

/** True when the record says something about the agent: it has an outcome, and neither platform nor customer broke down. */
export function counts({ outcome, end }: EpisodeRecord): boolean {
  return outcome !== null && end?.owner !== 'platform' && end?.reason !== 'customer_failed';
}

/**
 * Lays the records into the slots of the plan. Of several attempts the last one that counts wins, else the last; strangers are
 * left out. Records come in the order of their attempts, as `readRun` gives them.
 */
export function fillSlots(plan: PlanInput, records: readonly EpisodeRecord[]): EpisodeSlot[] {
  const byKey = new Map<string, EpisodeRecord>();
  for (const record of records) {
    const key = keyOfRecord(record);
    const before = byKey.get(key);
    if (before === undefined || counts(record) || !counts(before)) byKey.set(key, record);
  }
  return createPlan(plan).map((episode) => {
    const record = byKey.get(episodeKey(episode)) ?? null;
    if (record === null || (record.outcome === null && record.end === null))
      return { plan: episode, state: 'missing', record };
    return { plan: episode, state: counts(record) ? 'finished' : 'invalid', record };
  });
}
