import { describe, expect, it } from 'vitest';
import { createSpeaker } from '../../src/speech/index.js';
import { engine, MODEL, TASK } from './helpers/engine.js';
import { type Exchange, recordingGateway, refusingGateway } from './helpers/gateway.js';
import { rewardSink } from './helpers/reward-sink.js';
import { rolloutServer } from './helpers/rollout-server.js';

/** The bytes of a request's messages, from the bracket to the last message's end. */
function messagesText({ request }: Exchange): string {
  const start = request.indexOf('"messages":[') + '"messages":['.length;
  return request.slice(start, request.indexOf('],"tools":'));
}

const messageText = ({ response }: Exchange): string =>
  JSON.stringify((JSON.parse(response) as { choices: { message: unknown }[] }).choices[0]?.message);

/** What real gateways add: reasoning, nulls, arguments as the model spaced them, letters that could be written in two ways. */
function decorate(text: string): string {
  const answer = JSON.parse(text) as {
    choices: { message: { tool_calls?: { function: { arguments: string } }[] } & Record<string, unknown> }[];
  };
  for (const { message } of answer.choices) {
    for (const call of message.tool_calls ?? [])
      call.function.arguments = ` ${call.function.arguments.replaceAll('":"', '" :\t"')}\n`;
    Object.assign(message, {
      ...{ reasoning_content: 'Überlegung: “é” vs “é” \u2028 <|im_end|> \\u0041', refusal: null },
      ...{ annotations: [], function_call: null, audio: null },
    });
  }
  return JSON.stringify(answer);
}

describe('a rollout that the sandbox drives', () => {
  it('plays the policy behind the gateway, verifies and judges it, and posts the reward', async () => {
    const gateway = await recordingGateway((await engine()).baseUrl);
    const sink = await rewardSink();
    const server = await rolloutServer();
    const answer = await server.post({
      ...{ rollout_id: 'step1-a', group_id: 'step1', task: TASK, seed: 3, trial: 1, model: MODEL },
      ...{ base_url: gateway.sessionUrl('a'), reward_url: sink.url('/reward') },
    });
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({
      ...{ rollout_id: 'step1-a', group_id: 'step1', task: TASK, mode: 't-only' },
    });
    const view = await server.over('step1-a');
    expect(view).toMatchObject({
      ...{ state: 'done', seed: 3, trial: 1 },
      result: { valid: true, truncated: false, reward: 1, success: true, end: { reason: 'customer_stop' } },
    });
    expect(view.result?.turn_rewards).toHaveLength(view.result?.turns ?? -1);
    const reward = await sink.next();
    expect(reward.body).toMatchObject({ rollout_id: 'step1-a', state: 'done', result: view.result });
    expect(reward.headers['idempotency-key']).toBe('step1-a');
    expect(server.records.episodes.get(view.result?.record ?? '')?.at(-1)).toMatchObject({ type: 'outcome' });
    expect(server.faults).toEqual([]);
  });

  it('sends the history back byte for byte: every prompt begins with the one before and the reply to it', async () => {
    const gateway = await recordingGateway((await engine()).baseUrl, decorate);
    const server = await rolloutServer();
    await server.post({
      ...{ rollout_id: 'bytes', task: TASK, seed: 5, model: MODEL, base_url: gateway.sessionUrl('b') },
    });
    const view = await server.over('bytes');
    expect(view).toMatchObject({ state: 'done', result: { reward: 1 } });
    const exchanges = gateway.of('b');
    expect(exchanges.length).toBeGreaterThan(4);
    for (const [place, exchange] of exchanges.entries()) {
      const before = exchanges[place - 1];
      if (before === undefined) continue;
      expect(messagesText(exchange).startsWith(`${messagesText(before)},${messageText(before)},`)).toBe(true);
    }
    expect(exchanges.some(({ response }) => response.includes('tool_calls'))).toBe(true);
    const rest = exchanges.map(({ request }) => request.slice(request.indexOf('],"tools":')));
    expect(new Set(rest).size).toBe(1);
  });

  it('keeps the token ids and log-probabilities that came, turn by turn', async () => {
    const gateway = await recordingGateway((await engine()).baseUrl);
    const server = await rolloutServer();
    const common = { task: TASK, model: MODEL, seed: 1 };
    await server.post([
      { ...common, rollout_id: 'asked', trial: 1, base_url: gateway.sessionUrl('asked'), token_ids: true },
      {
        ...{ ...common, rollout_id: 'unasked', trial: 2, base_url: gateway.sessionUrl('unasked') },
        extra_body: { return_token_ids: true, logprobs: true },
      },
      { ...common, rollout_id: 'none', trial: 3, base_url: gateway.sessionUrl('none') },
    ]);
    for (const id of ['asked', 'unasked']) {
      await server.over(id);
      const { body } = await server.ask('GET', `/v1/rollouts/${id}?include=generations`);
      const exchanges = gateway.of(id);
      expect(body.generations).toHaveLength(exchanges.length);
      let before: number[] = [];
      for (const [place, generation] of body.generations.entries()) {
        const said = JSON.parse(exchanges[place]?.response ?? '');
        const prompt = [...before.slice(0, generation.prompt_shared), ...generation.prompt_rest];
        expect(prompt).toEqual(said.prompt_token_ids);
        expect(generation.token_ids).toEqual(said.choices[0].token_ids);
        expect(generation.logprobs).toHaveLength(generation.token_ids.length);
        expect(generation.faults).toEqual([]);
        before = [...prompt, ...generation.token_ids];
      }
    }
    await server.over('none');
    const { body } = await server.ask('GET', '/v1/rollouts/none?include=generations');
    expect(body.generations[0]).toMatchObject({ token_ids: null, logprobs: null });
    expect((await server.ask('GET', '/v1/rollouts/asked')).body).not.toHaveProperty('generations');
  });

  it('speaks, with every clip in every later prompt', async () => {
    const speaker = await createSpeaker({ workers: 1 });
    const gateway = await recordingGateway((await engine()).baseUrl);
    const server = await rolloutServer({ sandbox: { speaker } });
    await server.post({
      ...{ rollout_id: 'loud', task: TASK, mode: 's&t', model: MODEL, base_url: gateway.sessionUrl('loud') },
    });
    expect(await server.over('loud')).toMatchObject({ state: 'done', mode: 's&t', result: { reward: 1 } });
    const clips = gateway.of('loud').map(({ request }) => request.split('"audio_url":{').length - 1);
    expect(clips.at(-1)).toBeGreaterThan(1);
    expect(clips.toSorted((a, b) => a - b)).toEqual(clips);
    await speaker.close();
  });

  it('gives requests a seed only when it was told one, and each its own', async () => {
    const gateway = await recordingGateway((await engine()).baseUrl);
    const server = await rolloutServer();
    const common = { task: TASK, model: MODEL };
    await server.post({ ...common, rollout_id: 'x', trial: 1, base_url: gateway.sessionUrl('x') });
    await server.post({
      ...{ ...common, rollout_id: 'y', trial: 2, base_url: gateway.sessionUrl('y') },
      sampling: { seed: 9, temperature: 0.7, top_p: 0.9, max_tokens: 99 },
    });
    await Promise.all([server.over('x'), server.over('y')]);
    expect(JSON.parse(gateway.of('x')[0]?.request ?? '')).not.toHaveProperty('seed');
    const bodies = gateway.of('y').map(({ request }) => JSON.parse(request));
    expect(bodies[0]).toMatchObject({ temperature: 0.7, top_p: 0.9, max_tokens: 99, model: MODEL });
    expect(new Set(bodies.map(({ seed }) => seed)).size).toBe(bodies.length);
  });
});

describe('a rollout that goes wrong', () => {
  const start = { task: TASK, model: MODEL, rollout_id: 'r' };

  it('is invalid, and worth nothing rather than 0, when the gateway is down', async () => {
    const down = await engine({ fault: () => ({ kind: 'status', status: 503 }) });
    const sink = await rewardSink();
    const server = await rolloutServer();
    await server.post({
      ...{ ...start, base_url: down.baseUrl, reward_url: sink.url('/r'), reward_shape: 'rllm' },
    });
    expect(await server.over('r')).toMatchObject({
      state: 'invalid',
      result: { valid: false, reward: null, end: { reason: 'agent_unavailable', owner: 'platform' } },
    });
    expect((await sink.next()).body).toMatchObject({ finished: false, reward: null, session_id: 'r' });
  });

  it('is invalid when its time is over, however far it was', async () => {
    const silent = await engine({ fault: () => ({ kind: 'silent' }) });
    const server = await rolloutServer();
    await server.post({ ...start, base_url: silent.baseUrl, limits: { seconds: 1 } });
    expect(await server.over('r')).toMatchObject({
      state: 'invalid',
      result: {
        truncated: true,
        reward: null,
        end: { reason: 'shutdown', detail: 'over the time limit of 1 s' },
      },
    });
  });

  it('counts against the agent when a limit of its own cuts it short', async () => {
    const server = await rolloutServer();
    const { baseUrl } = await engine();
    await server.post({ ...start, base_url: baseUrl, limits: { turns: 2 } });
    expect(await server.over('r')).toMatchObject({
      state: 'done',
      result: {
        valid: true,
        truncated: true,
        reward: 0,
        turns: 2,
        end: { reason: 'turn_limit', owner: 'agent' },
      },
    });
  });

  it('counts against the agent when the gateway will not read back the arguments that it wrote', async () => {
    const { baseUrl } = await engine({
      policy: () => ({ calls: [{ name: 'get_order_details', arguments: '{"order_id": ' }] }),
    });
    const server = await rolloutServer();
    await server.post({ ...start, base_url: baseUrl });
    expect(await server.over('r')).toMatchObject({
      state: 'done',
      result: { valid: true, reward: 0, end: { reason: 'agent_failed', owner: 'agent' } },
    });
  });

  it('keeps every part of the key to itself when a long refusal quotes it, and names the field to change', async () => {
    const key = 'sk-very-secret-4711-and-more';
    const server = await rolloutServer();
    const refusing = await refusingGateway(401, { error: { message: 'x'.repeat(290) + key } });
    await server.post({ ...start, api_key: key, base_url: refusing });
    const view = await server.over('r');
    expect(view.result?.end?.detail).toContain('wants another key (401): give it as api_key');
    expect(JSON.stringify([view, [...server.records.episodes.values()]])).not.toContain('sk-v');
  });

  it('names base_url where nobody answers', async () => {
    const server = await rolloutServer();
    await server.post({ ...start, base_url: 'http://127.0.0.1:1/v1' });
    expect((await server.over('r')).result?.end?.detail).toContain('is base_url right?');
  });

  it('blots a key that the model says out of the record, and sends its own words back to it', async () => {
    const key = 'sk-very-secret-4711';
    const { baseUrl } = await engine({ policy: () => ({ content: `My key is ${key}.` }) });
    const gateway = await recordingGateway(baseUrl);
    const server = await rolloutServer();
    await server.post({ ...start, api_key: key, base_url: gateway.sessionUrl('r'), limits: { turns: 2 } });
    const view = await server.over('r');
    const told = JSON.stringify([view, [...server.records.episodes.values()]]);
    expect(told).not.toContain(key);
    expect(told).toContain('My key is [key].');
    expect(gateway.of('r')[1]?.request).toContain(`My key is ${key}.`);
  });

  it('keeps the key to itself, even when the server quotes it', async () => {
    const key = 'sk-very-secret-4711';
    const rude = await recordingGateway((await engine()).baseUrl);
    const server = await rolloutServer();
    const quoting = await engine({ fault: () => ({ kind: 'body', text: `{"error": "${key}"}` }) });
    await server.post({ ...start, api_key: key, base_url: quoting.baseUrl });
    await server.post({ ...start, rollout_id: 'ok', api_key: key, base_url: rude.sessionUrl('ok') });
    const views = [await server.over('r'), await server.over('ok')];
    expect(rude.of('ok')[0]?.headers.authorization).toBe(`Bearer ${key}`);
    const metrics = await fetch(`http://127.0.0.1:${server.sandbox.port}/metrics`);
    const told = JSON.stringify([views, [...server.records.episodes.values()], server.faults]);
    expect(`${told}${await metrics.text()}`).not.toContain(key);
  });
});
