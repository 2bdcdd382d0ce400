import { describe, expect, it } from 'vitest';
import { type OverRollout, rewardBody } from '../../src/rollouts/reward-bodies.js';
import { failedResult, type RolloutView } from '../../src/rollouts/rollout.js';

const result: NonNullable<RolloutView['result']> = {
  ...{ valid: true, end: { reason: 'customer_stop', owner: 'user', detail: null }, truncated: false },
  ...{ reward: 12.5, success: true, tarl_score: 12.5, turns: 2, record: 'a.text.t0.s1', seconds: 3.25 },
  turn_rewards: [
    { turn: 1, reward: 0, verdict: 1, verdict_reward: 2.5 },
    { turn: 2, reward: 0.5, verdict: 0, verdict_reward: 0 },
  ],
  reward_source: { rewards: 'v6', judge: 'rules/2', hash: 'f'.repeat(64) },
};
const rollout: OverRollout = {
  rollout_id: 'session-1',
  group_id: 'group-1',
  state: 'done',
  task: 'a',
  mode: 't-only',
  seed: 1,
  trial: 0,
  result,
  callback: { state: 'pending', attempts: 0, error: null },
};
const { generations: _, ...nothing } = failedResult('platform_failed', 'the engine died');
const invalid: OverRollout = { ...rollout, state: 'invalid', result: nothing };

describe('the body that is posted', () => {
  it('to Uni-Agent is reward_info; a rollout to be dropped is unfinished and has no reward', () => {
    expect(rewardBody('uni-agent', rollout)).toEqual({
      reward_info: { reward: 12.5, acc: 1, finished: true },
    });
    expect(rewardBody('uni-agent', invalid)).toEqual({ reward_info: { finished: false } });
  });

  it('to rLLM has the fields of a RemoteTaskResult', () => {
    expect(rewardBody('rllm', rollout)).toEqual({
      ...{ finished: true, session_id: 'session-1', task_id: 'group-1', reward: 12.5, error: null },
      ...{ termination_reason: 'env_done', elapsed: 3.25, raw_result: null },
      metadata: {
        ...{ success: true, turn_rewards: result.turn_rewards, tarl_score: 12.5 },
        ...{ end_reason: 'customer_stop', record: 'a.text.t0.s1', truncated: false },
      },
    });
    expect(rewardBody('rllm', invalid)).toMatchObject({
      ...{ finished: false, reward: null, termination_reason: 'error' },
      error: 'platform_failed: the engine died',
    });
    const ended = (reason: 'turn_limit' | 'context_limit' | 'agent_timeout') =>
      rewardBody('rllm', {
        ...rollout,
        result: { ...result, end: { reason, owner: 'agent', detail: null } },
      });
    expect(ended('turn_limit')).toMatchObject({ termination_reason: 'max_turns_exceeded', finished: true });
    expect(ended('context_limit')).toMatchObject({ termination_reason: 'max_prompt_length_exceeded' });
    expect(ended('agent_timeout')).toMatchObject({ termination_reason: 'timeout' });
  });

  it('to Agent-Lightning is one event, and one of another type where there is no reward', () => {
    expect(rewardBody('agent-lightning', rollout)).toEqual({
      event_type: 'reward',
      data: {
        value: 12.5,
        message: 'solved in 2 turns',
        source: 'agent',
        reason: 'customer_stop',
        truncated: false,
      },
    });
    expect(rewardBody('agent-lightning', invalid)).toEqual({
      event_type: 'rollout_invalid',
      data: { reason: 'platform_failed', message: 'platform_failed: the engine died', truncated: false },
    });
  });

  it('says that the time limit cut a rollout short, and gives it no reward in any shape', () => {
    const detail = 'over the time limit of 900 s';
    const end = { reason: 'shutdown', owner: 'platform', detail } as const;
    const late: OverRollout = { ...invalid, result: { ...invalid.result, truncated: true, end } };
    expect(rewardBody('uni-agent', late)).toEqual({ reward_info: { finished: false } });
    expect(rewardBody('rllm', late)).toMatchObject({
      ...{ finished: false, reward: null, termination_reason: 'timeout', error: `shutdown: ${detail}` },
      metadata: { truncated: true },
    });
    expect(rewardBody('agent-lightning', late)).toEqual({
      event_type: 'rollout_invalid',
      data: { reason: 'shutdown', message: `shutdown: ${detail}`, truncated: true },
    });
    expect(rewardBody('generic', late)).toMatchObject({
      ...{ state: 'invalid', result: { truncated: true, reward: null, valid: false } },
    });
  });

  it('in its generic shape is the rollout, but for the state of its own delivery', () => {
    const { callback: __, ...rest } = rollout;
    expect(rewardBody('generic', rollout)).toEqual(rest);
  });
});
