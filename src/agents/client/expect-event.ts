import type { ServerEvent } from '../../protocol/index.js';
import { MessageRefusedError, ProtocolFaultError } from '../errors.js';
import type { EventSocket } from './event-socket.js';

type ServerEventOf<T extends ServerEvent['type']> = Extract<ServerEvent, { type: T }>;

/** The next event, which must be of one of the wanted types; an `error` event throws, any other is out of place. */
export async function expectEvent<T extends ServerEvent['type']>(
  socket: EventSocket,
  ...types: readonly T[]
): Promise<ServerEventOf<T>> {
  const item = await socket.next();
  if (item.kind === 'event') {
    const wanted: readonly string[] = types;
    if (wanted.includes(item.event.type)) return item.event as ServerEventOf<T>;
    if (item.event.type === 'error') throw new MessageRefusedError(item.event.code, item.event.message);
  }
  const got = item.kind === 'event' ? item.event.type : 'an audio frame';
  throw new ProtocolFaultError(`expected ${types.join(' or ')} from the sandbox; got ${got}`);
}
