import type { EpisodeRecord } from '../../episodes/index.js';
import type { JudgeIdentity, Judgement } from './judge.js';

/**
 * What is wrong with a list of verdicts for an episode of `turns` turns, said so that a model can mend it; null: nothing.
 */
export function verdictFault(verdicts: readonly number[], turns: number): string | null {
  if (verdicts.length !== turns)
    return `expected exactly ${turns} verdicts, one for each turn from 1 to ${turns}; got ${verdicts.length}`;
  const odd = verdicts.findIndex((verdict) => ![-1, 0, 1].includes(verdict));
  if (odd >= 0) return `expected -1, 0 or 1 for turn ${odd + 1}; got ${verdicts[odd]}`;
  const deviations = verdicts.flatMap((verdict, index) => (verdict === -1 ? [index + 1] : []));
  if (deviations.length > 1)
    return `expected at most one -1, on the first major deviation, and 0 on its consequences; got -1 on turns ${deviations.join(', ')}`;
  return null;
}

/** Why no judge should look at a record, as a missing judgement; null: it can be judged. */
export function unjudgeable(record: EpisodeRecord, judge: JudgeIdentity): Judgement | null {
  const missing = (detail: string): Judgement => ({
    status: 'missing',
    judge,
    reason: 'episode-unfinished',
    detail,
  });
  if (record.end === null) return missing('the record was cut short before the end of the episode');
  if (record.end.owner === 'platform' || record.end.reason === 'customer_failed')
    return missing(`the episode was broken off (${record.end.reason}), not by the agent`);
  return null;
}
