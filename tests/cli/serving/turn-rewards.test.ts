import { describe, expect, it } from 'vitest';
import { createTurnRewards } from '../../../src/cli/serving/turn-rewards.js';
import { builtInDomain } from '../../../src/retail/index.js';
import { createScriptedCustomers } from '../../../src/user/index.js';
import { openEnvActions, oracleScript } from '../../interop/helpers/oracle-script.js';
import { testSandbox } from '../../sandbox/helpers/sandbox.js';
import { call, envClient, type Json } from '../../sandbox/openenv/helpers/env-client.js';

const domain = builtInDomain();
const shop = {
  ...{ domain, customers: createScriptedCustomers() },
  openEnv: { rateTurns: createTurnRewards(domain.policy) },
};

async function play(data: Json, actions: Json[]): Promise<Json[]> {
  const { sandbox } = await testSandbox(shop);
  const client = await envClient(sandbox);
  const answers = [(await client.ask({ type: 'reset', data })).data];
  for (const action of actions)
    answers.push((await client.ask({ type: 'step', data: { type: 'call_tool', ...action } })).data);
  return answers;
}

describe('turn rewards for trainers', () => {
  it('stand in the terminal metadata, a verdict for each turn; sparse rewards are 0 until the end', async () => {
    const script = await oracleScript(domain);
    const answers = await play({ task_id: script.task.id, seed: script.seed }, openEnvActions(script));
    expect(answers.map(({ reward }) => reward)).toEqual([...script.actions.map(() => 0), 1]);
    const { turn_rewards, verdict_score, turn_reward_source } = answers.at(-1).metadata;
    expect(turn_rewards.map(({ turn, verdict }: Json) => [turn, verdict])).toEqual(
      script.actions.map((_, index) => [index + 1, 1]),
    );
    // TARL: 10 for the outcome and 5 for turns that are all right.
    expect(verdict_score).toBe(15);
    expect(turn_reward_source).toMatchObject({ rewards: 'v6', judge: expect.stringMatching(/^rules\//) });
  });

  it('come with each step in dense mode, and add up to the turns and the outcome', async () => {
    const script = await oracleScript(domain);
    const reset = { task_id: script.task.id, seed: script.seed, reward_mode: 'dense' };
    const answers = await play(reset, openEnvActions(script));
    const turns: Json[] = answers.at(-1).metadata.turn_rewards;
    const steps = answers.slice(1).map(({ reward }) => reward);
    expect(steps.slice(0, -1)).toEqual(turns.slice(0, -1).map(({ reward }) => reward));
    expect(steps.at(-1)).toBeCloseTo(turns.at(-1).reward + 1);
    expect(steps.some((reward) => reward > 0)).toBe(true);
  });

  it('say in numbers alone how an episode went wrong', async () => {
    const task = domain.tasks[0];
    const actions = [
      { tool_name: 'get_order_details', arguments: { order_id: '#W0000000' } },
      call('done').data,
    ].map(({ tool_name, arguments: args }: Json) => ({ tool_name, arguments: args }));
    const answers = await play({ task_id: task?.id, seed: 1, reward_mode: 'dense' }, actions);
    expect(answers[1].reward).toBeLessThan(0);
    const { turn_rewards } = answers.at(-1).metadata;
    for (const turn of turn_rewards)
      expect(Object.keys(turn)).toEqual(['turn', 'reward', 'verdict', 'verdict_reward']);
  });
});
