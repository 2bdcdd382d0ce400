import { describe, expect, it } from 'vitest';
import { eventsOf, testSandbox, typesOf } from '../helpers/sandbox.js';
import { call, envClient, reset, say } from './helpers/env-client.js';

const cancel = call('cancel_pending_order', { order_id: '#W0000001', reason: 'no longer needed' });

describe('an episode over /ws', () => {
  it('opens with the customer, whose words, the policy and the task stand in both places of the metadata', async () => {
    const { sandbox } = await testSandbox();
    const client = await envClient(sandbox);
    const { type, data } = await client.ask(reset({ episode_id: 'mine' }));
    expect(type).toBe('observation');
    expect(Object.keys(data)).toEqual(['observation', 'reward', 'done', 'metadata']);
    expect(data).toMatchObject({ reward: 0, done: false });
    expect(data.metadata).toMatchObject({
      ...{ policy: 'Be kind.', task_id: 'cancel-lamp', mode: 't-only', episode_id: 'mine', split: 'test' },
      user_message: expect.stringMatching(/^Hello, this is caller \d+\.$/),
    });
    expect(data.observation.metadata).toEqual(data.metadata);
  });

  it("gives the customer's reply as the result of respond_to_user, in the shape of a FastMCP result", async () => {
    const { sandbox } = await testSandbox();
    const client = await envClient(sandbox);
    await client.ask(reset());
    const text = 'You said: How can I help?';
    expect(await client.ask(say('How can I help?'))).toEqual({
      type: 'observation',
      data: {
        observation: {
          metadata: { turn: 1 },
          tool_name: 'respond_to_user',
          result: {
            content: [{ type: 'text', text, annotations: null, meta: null }],
            ...{ structured_content: { result: text }, meta: null, data: text, is_error: false },
          },
          error: null,
        },
        ...{ reward: 0, done: false, metadata: { turn: 1 } },
      },
    });
  });

  it('reads arguments that a model wrote as text; what cannot be understood is a turn and an error of the model', async () => {
    const { sandbox } = await testSandbox();
    const client = await envClient(sandbox);
    await client.ask(reset());
    const step = (tool_name: string, written: string) =>
      client.ask({ type: 'step', data: { type: 'call_tool', tool_name, arguments: written } });
    const said = await step('respond_to_user', "{'message': 'Hello'}");
    expect(said.data.observation.result.data).toBe('You said: Hello');
    const wrong = await step('cancel_pending_order', '{"order_id": ');
    expect(wrong.data.observation.result).toMatchObject({
      is_error: true,
      data: expect.stringContaining('must be a JSON object'),
    });
    expect(wrong.data.metadata).toEqual({ turn: 2 });
    const unsaid = await step('respond_to_user', 'hello');
    expect(unsaid.data.observation.error).toMatchObject({ error_type: 'invalid_args' });
    expect(unsaid.data.metadata).toBeUndefined();
    expect((await client.ask(call('done'))).data.metadata.turn).toBe(2);
  });

  it('plays tools against the world and ends with the verdict when the agent is done', async () => {
    const { sandbox, records, nextEnd } = await testSandbox();
    const client = await envClient(sandbox);
    await client.ask(reset());
    await client.ask(say('Shall I cancel your lamp?'));
    const cancelled = await client.ask(cancel);
    expect(cancelled.data.observation.result.data).toContain('cancelled');
    const { data } = await client.ask(call('done'));
    expect(data).toMatchObject({ done: true, reward: 1 });
    expect(data.metadata).toMatchObject({
      ...{ stop_reason: 'agent_stop', owner: 'agent' },
      reward_info: { reward: 1, success: true, db_check: { db_match: true, db_reward: 1 } },
    });
    expect(data.observation.metadata).toEqual(data.metadata);
    const { episode, agent } = await nextEnd();
    expect(agent).toBe('openenv');
    expect(data.metadata.record).toBe(episode);
    expect(typesOf(eventsOf(records, episode))).toEqual(
      'episode customer agent customer tool_call tool_result end outcome'.split(' '),
    );
    expect(await client.ask({ type: 'state' })).toMatchObject({
      type: 'state',
      data: { step_count: 3, domain: 'retail', task_id: 'cancel-lamp', done: true, reward: 1 },
    });
  });

  it('ends when the customer hangs up, with the last words', async () => {
    const { sandbox } = await testSandbox();
    const client = await envClient(sandbox);
    await client.ask(reset());
    const { data } = await client.ask(say('Good bye, bye'));
    expect(data).toMatchObject({ done: true, reward: 0, metadata: { stop_reason: 'customer_stop' } });
    expect(data.observation.result.data).toBe('Thank you, goodbye.');
  });

  it('gives the same end again for a step after done, and a new episode after reset', async () => {
    const { sandbox } = await testSandbox();
    const client = await envClient(sandbox);
    await client.ask(reset());
    await client.ask(cancel);
    const first = await client.ask(call('done'));
    const again = await client.ask(say('Hello?'));
    expect(again.data).toMatchObject({ done: true, reward: 1, metadata: first.data.metadata });
    expect(again.data.observation.error).toMatchObject({ error_type: 'execution_error' });
    expect((await client.ask(reset())).data.done).toBe(false);
    expect((await client.ask({ type: 'state' })).data.step_count).toBe(0);
  });

  it("a reset amid an episode leaves it as the agent's, and the next world is untouched", async () => {
    const { sandbox, nextEnd } = await testSandbox();
    const client = await envClient(sandbox);
    await client.ask(reset());
    await client.ask(cancel);
    await client.ask(reset());
    expect((await nextEnd()).reason).toBe('agent_disconnected');
    const { data } = await client.ask(call('get_order_details', { order_id: '#W0000001' }));
    expect(JSON.parse(data.observation.result.data).status).toBe('pending');
  });

  it("lists the domain's tools and the two to speak and hang up with, before any reset", async () => {
    const { sandbox } = await testSandbox();
    const client = await envClient(sandbox);
    const { data } = await client.ask({ type: 'step', data: { type: 'list_tools' } });
    expect(data).toMatchObject({ reward: null, done: false });
    const { tools } = data.observation;
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['cancel_pending_order', 'respond_to_user', 'done']),
    );
    for (const tool of tools) expect(Object.keys(tool)).toEqual(['name', 'description', 'input_schema']);
  });
});
