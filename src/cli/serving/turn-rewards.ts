import type { SandboxOptions } from '../../sandbox/index.js';
import {
  createRuleJudge,
  REWARD_TABLES,
  rewardTableHash,
  tarlReward,
  tiersOf,
  turnReward,
  turnsOf,
} from '../../scoring/index.js';
import { canonicalJson, sha256Hex } from '../../shared/index.js';

export type RateTurns = NonNullable<NonNullable<SandboxOptions['openEnv']>['rateTurns']>;

/**
 * Turn rewards for trainers: the tier of each turn by reward table v6, which is known at once, and when the episode is
 * over the rule judge's verdicts with what they add to the TARL score.
 */
export function createTurnRewards(policy: string): RateTurns {
  const judge = createRuleJudge();
  const table = REWARD_TABLES.v6;
  const source = {
    rewards: table.name,
    judge: `${judge.identity.name}/${judge.identity.version}`,
    hash: sha256Hex(canonicalJson([judge.identity.hash, rewardTableHash(table)])),
  };
  return async (record) => {
    const turns = turnsOf(record);
    const tiers = tiersOf(turns, record.header.task.groundTruth);
    const judgement = record.outcome === null ? null : await judge.judge({ record, policy });
    const judged = judgement?.status === 'judged' ? judgement.verdicts : null;
    const verdicts = turns.map((_, index) => judged?.[index]?.verdict ?? null);
    const success = record.outcome?.success;
    const outcome = success === undefined ? null : success ? 1 : 0;
    const tarl = tarlReward({ outcome, verdicts });
    return {
      source,
      score: judged === null ? null : tarl.score,
      turns: turns.map(({ turn }, index) => {
        const tier = tiers[index];
        return {
          turn,
          reward: tier === undefined ? 0 : turnReward(table, tier),
          verdict: verdicts[index] ?? null,
          verdictReward: tarl.turnParts[index] ?? null,
        };
      }),
    };
  };
}
