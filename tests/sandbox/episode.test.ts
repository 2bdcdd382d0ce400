import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openRunFolder, readRun } from '../../src/episodes/index.js';
import { createManualClock } from '../../src/shared/index.js';
import { temporaryFolder } from '../helpers/temporary-folder.js';
import { customersOf, directTools, fakeSpeaker } from './helpers/fakes.js';
import { rawClient, rawEpisode } from './helpers/raw-client.js';
import { beginEpisode, eventsOf, testSandbox, typesOf } from './helpers/sandbox.js';

const CANCEL = { order_id: '#W0000001', reason: 'no longer needed' };

describe('an episode in text', () => {
  it('goes from the opening over tool calls to the verdict, and the record says the same', async () => {
    const { sandbox, records, nextEnd } = await testSandbox();
    const episode = await beginEpisode(sandbox);
    expect(episode.ready).toMatchObject({ episode: 'cancel-lamp.text.t0.s1', policy: 'Be kind.' });
    expect(episode.ready.tools.map((tool) => tool.name)).toContain('cancel_pending_order');
    expect(episode.opening.text).toMatch(/^Hello, this is caller \d+\.$/);
    expect(await episode.say('Which order?')).toEqual({
      kind: 'customer',
      customer: { text: 'You said: Which order?', audio: null },
    });
    const result = await episode.call('cancel_pending_order', CANCEL);
    expect(result).toMatchObject({ kind: 'result', ok: true });
    expect(await episode.call('cancel_pending_order', CANCEL)).toMatchObject({ kind: 'result', ok: false });
    const last = await episode.say('It is cancelled, bye');
    expect(last).toMatchObject({
      kind: 'end',
      end: { reason: 'customer_stop', owner: 'user', turn: 4, outcome: { success: true, reward: 1 } },
      customer: { text: 'Thank you, goodbye.' },
    });
    expect(typesOf(eventsOf(records, 'cancel-lamp.text.t0.s1'))).toEqual([
      ...['episode', 'customer', 'agent', 'customer', 'tool_call', 'tool_result', 'tool_call', 'tool_result'],
      ...['agent', 'customer', 'end', 'outcome'],
    ]);
    expect(await nextEnd()).toMatchObject({ task: 'cancel-lamp', turns: 4, recorded: true, agent: 'tester' });
    expect(records.finished.size).toBe(1);
    episode.close();
  });

  it('ends when the agent stops', async () => {
    const { sandbox } = await testSandbox();
    const episode = await beginEpisode(sandbox);
    expect(await episode.stop()).toMatchObject({ reason: 'agent_stop', owner: 'agent', turn: 0 });
  });

  it('ends at the turn limit, after the feedback to the last action', async () => {
    const { sandbox, records } = await testSandbox({ limits: { maxTurns: 2 } });
    const episode = await beginEpisode(sandbox);
    await episode.say('one');
    expect(await episode.say('two')).toMatchObject({ kind: 'customer', customer: { text: 'You said: two' } });
    expect(await episode.say('three')).toMatchObject({ kind: 'end', end: { reason: 'turn_limit', turn: 2 } });
    const events = eventsOf(records, 'cancel-lamp.text.t0.s1');
    expect(events.filter((event) => event.type === 'agent')).toHaveLength(2);
  });

  it('counts failed tool calls and refused messages together towards the error limit', async () => {
    const { sandbox } = await testSandbox({ limits: { maxErrors: 3 } });
    const episode = await beginEpisode(sandbox);
    await episode.call('no_such_tool', {});
    await expect(episode.say('x'.repeat(20_001))).rejects.toMatchObject({ wireCode: 'bad_message' });
    await episode.call('cancel_pending_order', {});
    expect(await episode.say('still there?')).toMatchObject({ kind: 'end', end: { reason: 'error_limit' } });
  });
});

describe('a transfer to a human', () => {
  const transfer = ['transfer_to_human_agents', { summary: 'out of my hands' }] as const;

  it('lets the agent say one more message and ends without asking the customer', async () => {
    const { sandbox, records } = await testSandbox();
    const episode = await beginEpisode(sandbox);
    expect(await episode.call(...transfer)).toMatchObject({ ok: true });
    const end = await episode.say('You are being transferred, please hold on.');
    expect(end).toMatchObject({ kind: 'end', end: { reason: 'transfer', owner: 'agent', turn: 2 } });
    expect(typesOf(eventsOf(records, 'cancel-lamp.text.t0.s1')).slice(-4)).toEqual([
      ...['tool_result', 'agent', 'end', 'outcome'],
    ]);
  });

  it('ends by itself when the agent stays silent, and at once when it acts, stops or goes [P-END-5]', async () => {
    const clock = createManualClock();
    const { sandbox, nextEnd } = await testSandbox({ clock, limits: { transferGraceMs: 5_000 } });
    const silent = await beginEpisode(sandbox);
    await silent.call(...transfer);
    clock.advance(5_000);
    expect((await nextEnd()).reason).toBe('transfer');
    const busy = await beginEpisode(sandbox);
    await busy.call(...transfer);
    expect(await busy.call('calculate', { expression: '1+1' })).toMatchObject({
      end: { reason: 'transfer' },
    });
    const stopping = await beginEpisode(sandbox);
    await stopping.call(...transfer);
    expect(await stopping.stop()).toMatchObject({ reason: 'transfer' });
    await nextEnd();
    await nextEnd();
    const leaving = await beginEpisode(sandbox);
    await leaving.call(...transfer);
    leaving.close();
    expect((await nextEnd()).reason).toBe('transfer');
  });
});

describe('an episode in speech', () => {
  it('sends sound only, keeps both forms on the record and the WAV beside it', async () => {
    const dir = temporaryFolder();
    const folder = await openRunFolder(dir);
    const { sandbox } = await testSandbox({ openRecord: folder.open });
    const episode = await beginEpisode(sandbox, { mode: 'speech' });
    expect(episode.opening.text).toBeNull();
    expect(episode.opening.audio?.sampleRateHz).toBe(16_000);
    const last = await episode.say('ok, bye');
    if (last.kind !== 'end') throw new Error('expected the end');
    expect(last.customer?.audio?.samples.length).toBe('Thank you, goodbye.'.length * 100);
    const { records, faults } = await readRun(dir);
    expect(faults).toEqual([]);
    const customer = records[0]?.events.filter((event) => event.type === 'customer') ?? [];
    expect(customer[1]).toMatchObject({ text: 'Thank you, goodbye.', spoken: 'thank you, goodbye.' });
    for (const { audio } of customer) {
      const wav = readFileSync(folder.paths.clip(audio?.sha256 ?? ''));
      expect(wav.length).toBe(44 + 2 * (audio?.samples ?? 0));
    }
  });

  it('is refused where there is no voice, and text still works', async () => {
    const { sandbox } = await testSandbox({ speaker: null });
    await expect(beginEpisode(sandbox, { mode: 'speech' })).rejects.toMatchObject({
      wireCode: 'unavailable',
    });
    expect((await beginEpisode(sandbox)).opening.text).toMatch(/^Hello/);
  });
});

describe('the same seed', () => {
  async function recordBytes(dir: string, concurrent: boolean): Promise<Map<string, string>> {
    const folder = await openRunFolder(dir);
    const { sandbox } = await testSandbox({ openRecord: folder.open });
    const play = async (mode: 'speech' | 'text', seed: number): Promise<void> => {
      const episode = await beginEpisode(sandbox, { mode, seed });
      await episode.say('Hello');
      await episode.call('cancel_pending_order', CANCEL);
      await episode.say('bye');
      episode.close();
    };
    const plan = [1, 2, 3, 4].flatMap((seed) => [() => play('text', seed), () => play('speech', seed)]);
    if (concurrent) await Promise.all(plan.map((run) => run()));
    else for (const run of plan) await run();
    return new Map(
      [folder.paths.episodes, folder.paths.audio].flatMap((path) =>
        readdirSync(path)
          .sort()
          .map((name): [string, string] => [name, readFileSync(`${path}/${name}`).toString('base64')]),
      ),
    );
  }

  it('gives the same files, byte for byte, at any concurrency', async () => {
    const one = await recordBytes(temporaryFolder(), false);
    expect(one.size).toBeGreaterThan(10);
    expect(await recordBytes(temporaryFolder(), true)).toEqual(one);
  });
});

describe('a failing part', () => {
  const failing = async (): Promise<never> => {
    throw new Error('SECRET-CAUSE');
  };

  const impossibleRate: typeof fakeSpeaker.speak = async (...line) => {
    const spoken = await fakeSpeaker.speak(...line);
    return { ...spoken, clip: { ...spoken.clip, sampleRateHz: 1 } };
  };

  it('ends the episode in its owner’s name and harms no sibling', async () => {
    const cases = [
      ['customer_failed', { customers: customersOf({ reply: failing }) }],
      ['customer_failed', { customers: customersOf({ reply: async () => ({ text: '' }) }) }],
      ['platform_failed', { speaker: { ...fakeSpeaker, speak: failing } }],
      ['platform_failed', { speaker: { ...fakeSpeaker, speak: impossibleRate } }],
      ['platform_failed', { connectTools: async () => ({ call: failing, close: async () => undefined }) }],
    ] as const;
    for (const [reason, options] of cases) {
      const { sandbox, nextEnd } = await testSandbox(options);
      const sibling = await beginEpisode(sandbox, { task: 'cancel-lamp-too' });
      const episode = await beginEpisode(sandbox, { mode: 'speaker' in options ? 'speech' : 'text' });
      if ('connectTools' in options) await episode.call('calculate', {});
      else await episode.say('hello');
      expect(await nextEnd()).toMatchObject({ reason });
      expect(await sibling.stop()).toMatchObject({ reason: 'agent_stop' });
    }
  });

  it('is named on the record and in the log, not on the wire', async () => {
    const { sandbox, records, logged } = await testSandbox({ customers: customersOf({ open: failing }) });
    const episode = await beginEpisode(sandbox);
    const end = await episode.stop();
    expect(end).toMatchObject({ reason: 'customer_failed', owner: 'user', outcome: { reward: 0 } });
    expect(JSON.stringify(end)).not.toContain('SECRET-CAUSE');
    const recorded = eventsOf(records, 'cancel-lamp.text.t0.s1').find((event) => event.type === 'end');
    expect(recorded).toMatchObject({ detail: 'SECRET-CAUSE' });
    expect(logged.join()).toContain('SECRET-CAUSE');
  });

  it('leaves an episode without a verdict when the verifier breaks: no outcome, never a zero', async () => {
    const verify = (): never => {
      throw new Error('no verdict');
    };
    const { sandbox, records } = await testSandbox({ verify });
    const episode = await beginEpisode(sandbox);
    expect((await episode.stop()).outcome).toBeNull();
    expect(typesOf(eventsOf(records, 'cancel-lamp.text.t0.s1')).at(-1)).toBe('end');
  });

  it('is said as unavailable when tools or record cannot be opened, and the connection stays', async () => {
    let broken = true;
    const { sandbox } = await testSandbox({
      connectTools: async (session) => {
        if (broken) throw new Error('no tools');
        return directTools(session);
      },
    });
    const client = await rawClient(sandbox.url);
    const start = { type: 'episode.start', task: 'cancel-lamp', mode: 'text', seed: 1 };
    client.send(start);
    expect((await client.next('error')).code).toBe('unavailable');
    broken = false;
    client.send(start);
    await client.next('customer.end');
  });

  it('ends as a failure of the platform when the record cannot be written', async () => {
    const { sandbox, nextEnd } = await testSandbox({
      openRecord: (episode) => {
        let lines = 0;
        return {
          episode,
          append: () => {
            lines += 1;
            if (lines > 2) throw new Error('disk full');
          },
          audio: async () => undefined,
          finish: async () => undefined,
        };
      },
    });
    const episode = await beginEpisode(sandbox);
    expect(await episode.say('hello')).toMatchObject({ kind: 'end', end: { reason: 'platform_failed' } });
    expect(await nextEnd()).toMatchObject({ recorded: false });
  });
});

describe('time', () => {
  it('ends an episode whose agent is silent too long', async () => {
    const clock = createManualClock();
    const { sandbox, nextEnd } = await testSandbox({ clock });
    const client = await rawEpisode(sandbox.url);
    clock.advance(119_999);
    client.send({ type: 'agent.message', text: 'just in time' });
    await client.next('customer.end');
    clock.advance(120_000);
    expect(await nextEnd()).toMatchObject({ reason: 'agent_timeout', turns: 1 });
    expect((await client.next('episode.end')).reason).toBe('agent_timeout');
  });

  it('does not wait for ever for a customer or a tool', async () => {
    const never = new Promise<never>(() => undefined);
    const clock = createManualClock();
    let asked = (): void => undefined;
    const wasAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const hanging = () => {
      asked();
      return never;
    };
    const { sandbox, nextEnd } = await testSandbox({ clock, customers: customersOf({ reply: hanging }) });
    const client = await rawEpisode(sandbox.url);
    client.send({ type: 'agent.message', text: 'hello?' });
    await wasAsked;
    clock.advance(120_000);
    expect(await nextEnd()).toMatchObject({ reason: 'customer_failed' });
  });
});
