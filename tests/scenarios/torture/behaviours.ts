import type { EndReason } from '../../../src/protocol/index.js';
import type { Random } from '../../../src/shared/index.js';
import type { HostileClient } from './hostile-client.js';
import { act, freshId, hangUp, type Steps } from './steps.js';

/** How one client behaves in its one episode, and how that episode has to end. */
export interface Behaviour {
  readonly mode: 'speech' | 'text';
  readonly window?: number;
  readonly ends: EndReason;
  /** The opening has been heard. Resolves when the client has done all that it does. */
  play(client: HostileClient, rng: Random): Promise<void>;
}

const calm = async (): Promise<void> => undefined;
const stepsOf = (rng: Random, trouble: Steps['trouble'] = calm): Steps => ({ rng, trouble, failures: 3 });

async function work(client: HostileClient, steps: Steps): Promise<void> {
  for (let left = steps.rng.int(2, 5); left > 0; left -= 1) if (!(await act(client, steps))) return;
}

async function flaky(client: HostileClient, rng: Random): Promise<void> {
  for (let times = rng.int(0, 2); times > 0; times -= 1)
    await client.dropAndResume({ whileAlive: rng.chance(0.3) });
}

/** Rubbish that is answered by one error each. */
function rubbish(rng: Random): string | Buffer {
  return rng.pick([
    '',
    'null',
    '{',
    '{"type":"nothing"}',
    '{"type":"tool.call"}',
    '['.repeat(50_000),
    `{"type":"agent.message","text":"${'x'.repeat(300_000)}"}`,
    JSON.stringify({ type: 'agent.message', text: 'a', __proto__: null, constructor: 1 }),
    JSON.stringify({ type: 'agent.stop', turn: -1 }),
    JSON.stringify({ type: 'session.resume', token: 'guess', lastSeq: 0 }),
    Buffer.alloc(0),
    Buffer.from('50010100', 'hex'),
    Buffer.from(Array.from({ length: rng.int(1, 64) }, () => rng.int(0, 255))),
  ]);
}

export const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  orderly: {
    ...{ mode: 'text', ends: 'agent_stop' },
    play: async (client, rng) => {
      const steps = stepsOf(rng);
      await work(client, steps);
      await hangUp(client, steps);
    },
  },
  'drops and resumes': {
    ...{ mode: 'text', ends: 'agent_stop' },
    play: async (client, rng) => {
      const steps = stepsOf(rng, (one) => flaky(one, rng));
      await work(client, steps);
      await hangUp(client, steps);
    },
  },
  'drops and resumes in the sound': {
    ...{ mode: 'speech', ends: 'agent_stop' },
    play: async (client, rng) => {
      const steps = stepsOf(rng, (one) => flaky(one, rng));
      await work(client, steps);
      await hangUp(client, steps);
    },
  },
  'is gone for good': {
    ...{ mode: 'text', ends: 'agent_disconnected' },
    play: async (client, rng) => {
      await work(client, stepsOf(rng));
      client.send({
        type: 'tool.call',
        callId: freshId('c'),
        name: 'calculate',
        arguments: { expression: '1' },
      });
      client.drop();
    },
  },
  'says goodbye in the middle': {
    ...{ mode: 'text', ends: 'agent_disconnected' },
    play: async (client, rng) => {
      await work(client, stepsOf(rng));
      client.send({ type: 'agent.message', text: 'Wait.' });
      client.socket.close(1000);
    },
  },
  'sends some garbage': {
    ...{ mode: 'text', ends: 'agent_stop' },
    play: async (client, rng) => {
      const steps = { ...stepsOf(rng), failures: 0 };
      for (let errors = rng.int(1, 8); errors > 0; errors -= 1) {
        client.socket.send(rubbish(rng));
        await client.next('error');
        if (rng.chance(0.5)) await act(client, steps);
      }
      await hangUp(client, steps);
    },
  },
  'sends nothing but garbage': {
    ...{ mode: 'text', ends: 'error_limit' },
    play: async (client, rng) => {
      while (client.end === null) {
        client.socket.send(rubbish(rng));
        await client.next('error', 'episode.end');
      }
    },
  },
  'says everything twice': {
    ...{ mode: 'text', ends: 'agent_stop' },
    play: async (client, rng) => {
      for (let left = 4; left > 0; left -= 1) {
        const call = { callId: freshId('c'), name: 'modify_user_address' };
        const args = { user_id: 'ada_moss_1', address1: `${rng.int(1, 99)} Oak Road`, address2: '' };
        const message = {
          type: 'tool.call',
          ...{ ...call, turn: client.turn },
          arguments: { ...args, city: 'Salem', country: 'USA', state: 'OR', zip: '97302' },
        } as const;
        client.send(message);
        client.send(message);
        client.send({ ...message, turn: undefined });
        while (!client.results.has(call.callId)) await client.next('tool.result');
        // Of the copies so far some came while the call ran; this one is answered by the first answer, and by nothing else.
        client.send({ ...message, turn: undefined });
        while ((await client.next('tool.result')).repeated !== true);
        client.send({ ...message, arguments: {} });
        await client.next('error');
      }
      const stop = { type: 'agent.stop', messageId: freshId('m') } as const;
      client.send(stop);
      client.send(stop);
      while (client.end === null) await client.next('episode.end');
    },
  },
  'stops reading': {
    ...{ mode: 'speech', ends: 'agent_timeout' },
    play: async (client) => {
      client.send({ type: 'agent.message', text: 'blah '.repeat(3_900) });
      client.socket.pause();
    },
  },
  'falls asleep': { mode: 'text', ends: 'agent_timeout', play: calm },
  interrupts: {
    ...{ mode: 'speech', window: 4_096, ends: 'agent_stop' },
    play: async (client, rng) => {
      const steps = { ...stepsOf(rng), failures: 0 };
      client.acknowledges = false;
      for (let left = rng.int(1, 3); left > 0; left -= 1) {
        client.acknowledge();
        client.send({ type: 'agent.message', text: 'Tell me more. '.repeat(20), turn: client.turn });
        const { utterance } = await client.next('customer.start');
        client.send({ type: 'interrupt', utterance, heardSamples: 100 });
        const { interrupted, samples } = await client.next('customer.end');
        if (!interrupted || samples > 4_096)
          client.faults.push(`interrupted ${interrupted} after ${samples}`);
        client.send({ type: 'interrupt', utterance });
        await client.next('error');
      }
      await hangUp(client, steps);
    },
  },
  floods: {
    ...{ mode: 'text', ends: 'error_limit' },
    play: async (client) => {
      for (let left = 300; left > 0; left -= 1) {
        client.send({ type: 'ack', seq: 1 });
        client.send({ type: 'agent.message', text: 'Hello?' });
      }
      while (client.end === null) await client.next('episode.end');
    },
  },
  'floods with pings': {
    ...{ mode: 'text', ends: 'agent_disconnected' },
    play: async (client) => {
      // Pongs pile up faster than they leave: `ws` hangs up.
      while (client.closeCode === null) {
        for (let left = 2_000; left > 0; left -= 1) client.socket.ping();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  },
  'sends far too much': {
    ...{ mode: 'text', ends: 'agent_disconnected' },
    play: async (client) => {
      client.socket.send('x'.repeat(5 * 1024 * 1024));
      await client.next('episode.end').catch(() => undefined);
      if (client.closeCode !== 1009 && client.closeCode !== 1006)
        client.faults.push(`closed with ${client.closeCode} after too large a frame`);
    },
  },
  'never stops': {
    ...{ mode: 'text', ends: 'turn_limit' },
    play: async (client, rng) => {
      const steps = { ...stepsOf(rng), failures: 0 };
      while (client.end === null) if (!(await act(client, steps))) break;
      while (client.end === null) await client.next('episode.end');
    },
  },
  'hands over': {
    ...{ mode: 'text', ends: 'transfer' },
    play: async (client, rng) => {
      const steps = stepsOf(rng);
      await work(client, steps);
      const call = { callId: freshId('c'), name: 'transfer_to_human_agents', arguments: { summary: 'no' } };
      client.send({ type: 'tool.call', ...call });
      while (!client.results.has(call.callId)) await client.next('tool.result');
      await flaky(client, rng);
      client.send({ type: 'agent.message', text: 'Please hold on.' });
      while (client.end === null) await client.next('episode.end');
    },
  },
};
