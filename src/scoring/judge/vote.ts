import { canonicalJson, sha256Hex } from '../../shared/index.js';
import type { Verdict } from '../rewards/tarl.js';
import type { Judge, Judgement, TurnVerdict } from './judge.js';

type Judged = Extract<Judgement, { status: 'judged' }>;

function voteOnTurn(votes: readonly TurnVerdict[], isDeviation: boolean): TurnVerdict {
  const turn = votes[0]?.turn ?? 0;
  const count = (verdict: Verdict): number => votes.filter((vote) => vote.verdict === verdict).length;
  const verdict: Verdict = isDeviation ? -1 : 2 * count(1) > votes.length ? 1 : 0;
  const split = `${count(1)} for 1, ${count(0)} for 0, ${count(-1)} for -1`;
  const reason = votes.find((vote) => vote.verdict === verdict)?.reason ?? 'the judges differ';
  return { turn, verdict, reason: `${reason} (${split})` };
}

/** The verdict of several judgements of one episode; at least one. */
function combine(judged: readonly Judged[]): TurnVerdict[] {
  const turns = judged[0]?.verdicts.length ?? 0;
  return Array.from({ length: turns }, (_, index) => {
    const votes = judged.flatMap(({ verdicts }) => verdicts[index] ?? []);
    const against = votes.filter((vote) => vote.verdict === -1).length;
    return voteOnTurn(votes, 2 * against > votes.length);
  });
}

/**
 * Several judges as one. More than half of all judges must have a judgement, else it is missing. A turn gets -1 where
 * more than half of those put it, which can be one turn at most; else 1 where more than half say 1, else 0. So judges
 * that see a deviation but differ on its turn leave 0 on each of these turns, never a -1 that no majority stands behind.
 */
export function createVotingJudge(judges: readonly Judge[]): Judge {
  if (judges.length === 0) throw new RangeError('a vote needs at least one judge; got none');
  const members = judges.map((judge) => judge.identity);
  const identity = {
    name: `vote(${members.map((member) => member.name).join(', ')})`,
    version: '1',
    hash: sha256Hex(
      canonicalJson({ judge: 'vote', version: '1', members: members.map((member) => member.hash) }),
    ),
  };
  return {
    identity,
    judge: async (input) => {
      const judgements = await Promise.all(judges.map((judge) => judge.judge(input)));
      const judged = judgements.filter((judgement): judgement is Judged => judgement.status === 'judged');
      if (2 * judged.length > judges.length)
        return { status: 'judged', judge: identity, verdicts: combine(judged) };
      const reasons = judgements.flatMap((one) =>
        one.status === 'missing' ? [`${one.judge.name}: ${one.reason}`] : [],
      );
      return {
        ...{ status: 'missing', judge: identity, reason: 'no-majority' },
        detail: `${judged.length} of ${judges.length} judges had a judgement; ${reasons.join('; ')}`,
      };
    },
  };
}
