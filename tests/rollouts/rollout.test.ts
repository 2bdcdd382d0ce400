import { describe, expect, it, onTestFinished } from 'vitest';
import { oracleChatPolicy } from '../helpers/oracle-chat-policy.js';
import { type StrictChatOptions, startStrictChatServer } from '../helpers/strict-chat-server.js';
import { recordingGateway } from './helpers/gateway.js';
import { rewardSink } from './helpers/reward-sink.js';
import { domain, rolloutServer } from './helpers/rollout-server.js';

const MODEL = 'Qwen/Qwen2.5-Omni-7B';
const taskOf = (session: string): string => decodeURIComponent(session).split('.')[0] ?? '';
const task = domain.tasks[0]?.id ?? '';

async function engine(options: Partial<StrictChatOptions> = {}) {
  const server = await startStrictChatServer({ policy: oracleChatPolicy(domain, taskOf), ...options });
  onTestFinished(() => server.close());
  return server;
}

describe('a rollout that the sandbox drives', () => {
  it('plays the policy behind the gateway, verifies and judges it, and posts the reward', async () => {
    const gateway = await recordingGateway((await engine()).baseUrl);
    const sink = await rewardSink();
    const server = await rolloutServer();
    const answer = await server.post({
      ...{ rollout_id: 'step1-a', group_id: 'step1', task, seed: 3, trial: 1, model: MODEL },
      ...{ base_url: gateway.sessionUrl('a'), reward_url: sink.url('/reward') },
    });
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ rollout_id: 'step1-a', group_id: 'step1', task, mode: 't-only' });
    const view = await server.over('step1-a');
    expect(view).toMatchObject({
      ...{ state: 'done', seed: 3, trial: 1 },
      result: { valid: true, truncated: false, reward: 1, success: true, end: { reason: 'customer_stop' } },
    });
    expect(view.result?.turn_rewards).toHaveLength(view.result?.turns ?? -1);
    const reward = await sink.next();
    expect(reward.body).toMatchObject({ rollout_id: 'step1-a', state: 'done', result: view.result });
    expect(server.records.episodes.get(view.result?.record ?? '')?.at(-1)).toMatchObject({ type: 'outcome' });
    expect(server.faults).toEqual([]);
  });
});
