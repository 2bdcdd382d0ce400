import type { RolloutResult, RolloutView } from './rollout.js';
import type { RewardShape } from './rollout-request.js';

/** A rollout that is over, as its callback tells it. */
export interface OverRollout extends RolloutView {
  readonly result: Omit<RolloutResult, 'generations'>;
}

const scored = ({ result }: OverRollout): boolean => result.valid && result.reward !== null;

/** Uni-Agent: the body of `/sessions/{id}/reward_info`. `finished: false` without a reward: the trainer masks the episode. */
function uniAgent(rollout: OverRollout): object {
  const { result } = rollout;
  return {
    reward_info: scored(rollout)
      ? { reward: result.reward, acc: result.success === true ? 1 : 0, finished: true }
      : { finished: false },
  };
}

const RLLM_REASONS: Readonly<Record<string, string>> = {
  ...{ turn_limit: 'max_turns_exceeded', error_limit: 'max_turns_exceeded' },
  ...{ context_limit: 'max_prompt_length_exceeded', agent_timeout: 'timeout' },
};

function rllmReason({ result }: OverRollout, isScored: boolean): string {
  if (isScored) return RLLM_REASONS[result.end?.reason ?? ''] ?? 'env_done';
  // The rollout's time limit, which is the platform's and has no reward.
  return result.truncated ? 'timeout' : 'error';
}

/** rLLM: the fields of `RemoteTaskResult`. The session is the rollout, the task its group. */
function rllm(rollout: OverRollout): object {
  const { rollout_id, group_id, task, result } = rollout;
  const isScored = scored(rollout);
  return {
    finished: isScored,
    session_id: rollout_id,
    task_id: group_id ?? task,
    reward: isScored ? result.reward : null,
    error: isScored ? null : whyInvalid(rollout),
    termination_reason: rllmReason(rollout, isScored),
    elapsed: result.seconds,
    raw_result: null,
    metadata: {
      ...{ success: result.success, turn_rewards: result.turn_rewards, tarl_score: result.tarl_score },
      ...{ end_reason: result.end?.reason ?? null, record: result.record, truncated: result.truncated },
    },
  };
}

/** Agent-Lightning: an event of an attempt. Without a reward it is an event of another type, so nothing counts as 0. */
function agentLightning(rollout: OverRollout): object {
  const { result } = rollout;
  const reason = result.end?.reason ?? 'platform_failed';
  return scored(rollout)
    ? {
        event_type: 'reward',
        data: {
          value: result.reward,
          message: `${result.success === true ? 'solved' : 'not solved'} in ${result.turns} turns`,
          ...{ source: 'agent', reason, truncated: result.truncated },
        },
      }
    : {
        event_type: 'rollout_invalid',
        data: { reason, message: whyInvalid(rollout), truncated: result.truncated },
      };
}

function whyInvalid({ result }: OverRollout): string {
  const { end } = result;
  return end === null ? 'no verdict' : [end.reason, end.detail].filter((part) => part !== null).join(': ');
}

const BODIES: Readonly<Record<RewardShape, (rollout: OverRollout) => object>> = {
  // The callback speaks of itself only when it is over.
  generic: ({ callback: _, ...rollout }) => rollout,
  'uni-agent': uniAgent,
  rllm,
  'agent-lightning': agentLightning,
};

/** What is posted to the reward address. */
export function rewardBody(shape: RewardShape, rollout: OverRollout): object {
  return BODIES[shape](rollout);
}
