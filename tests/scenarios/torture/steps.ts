import type { Random } from '../../../src/shared/index.js';
import type { HostileClient } from './hostile-client.js';

/** Random but orderly work: calls that change the world, calls that fail, words. */
export interface Steps {
  readonly rng: Random;
  /** What happens between a message and its answer. */
  readonly trouble: (client: HostileClient) => Promise<void>;
  /** At most this many calls may fail. */
  failures: number;
}

let counter = 0;
/** Ids of the test's own, so that nothing depends on the order in which clients run. */
export function freshId(prefix: string): string {
  counter += 1;
  return `${prefix}-${counter}`;
}

const ADDRESS = { address2: '', city: 'Salem', country: 'USA', state: 'OR' };

function someCall(steps: Steps): { name: string; arguments: Record<string, unknown> } {
  const { rng } = steps;
  const address = {
    ...ADDRESS,
    address1: `${rng.int(1, 9_999)} Elm Street`,
    zip: String(rng.int(10_000, 99_999)),
  };
  const order_id = rng.pick(['#W0000001', '#W0000002']);
  const kind = rng.int(0, steps.failures > 0 ? 5 : 3);
  if (kind >= 4) steps.failures -= 1;
  switch (kind) {
    case 0:
      return { name: 'modify_user_address', arguments: { user_id: 'ada_moss_1', ...address } };
    case 1:
      return { name: 'get_order_details', arguments: { order_id } };
    case 2:
      return { name: 'calculate', arguments: { expression: `${rng.int(1, 99)} * ${rng.int(1, 99)}` } };
    case 3:
      return {
        name: 'modify_user_address',
        arguments: { user_id: 'ada_moss_1', ...address, address2: 'attic' },
      };
    case 4:
      return { name: 'cancel_pending_order', arguments: { order_id, reason: 'bored' } };
    default:
      return { name: 'no_such_tool', arguments: {} };
  }
}

/** Sends one message, gets into trouble, sends it again in case it was lost, and waits for what answers it. */
async function exchange(
  client: HostileClient,
  steps: Steps,
  message: { messageId: string } & Parameters<HostileClient['send']>[0],
): Promise<void> {
  const sockets = client.socket;
  client.send(message);
  await steps.trouble(client);
  if (client.socket !== sockets) client.send(message);
}

/** One action, answered. False: the episode is over. */
export async function act(client: HostileClient, steps: Steps): Promise<boolean> {
  const { rng } = steps;
  const common = { messageId: freshId('m'), turn: client.turn };
  if (rng.chance(0.35)) {
    await exchange(client, steps, { type: 'agent.message', text: `Word ${rng.int(0, 999)}.`, ...common });
    return (await client.next('customer.end', 'episode.end')).type === 'customer.end';
  }
  const calls = Array.from({ length: rng.int(1, 3) }, () => ({ callId: freshId('c'), ...someCall(steps) }));
  const [first] = calls;
  if (first !== undefined && calls.length === 1)
    await exchange(client, steps, { type: 'tool.call', ...first, ...common });
  else await exchange(client, steps, { type: 'tool.calls', calls, ...common });
  for (const { callId } of calls)
    while (!client.results.has(callId))
      if ((await client.next('tool.result', 'episode.end')).type === 'episode.end') return false;
  return true;
}

/** Hangs up and waits for the end. */
export async function hangUp(client: HostileClient, steps: Steps): Promise<void> {
  await exchange(client, steps, { type: 'agent.stop', messageId: freshId('m'), turn: client.turn });
  while (client.end === null) await client.next('episode.end');
}
