import { type AudioFormat, DEFAULT_AUDIO, type Pacing } from '../../protocol/index.js';
import type { Clock, Random } from '../../shared/index.js';
import type { AgentAssignment } from '../agent.js';
import type { CustomerListener, CustomerTurn, EpisodeClient } from '../episode-client.js';
import { openEventSocket } from './event-socket.js';
import { expectEvent } from './expect-event.js';
import type { Reconnection } from './reconnection.js';
import { readUtterance } from './utterance.js';
import { WebSocketEpisode } from './websocket-episode.js';

export interface StartEpisodeOptions {
  /** The agent's name, for the record. */
  readonly agent: string;
  /** Aborting closes the connection; whatever is pending rejects with `ConnectionLostError`. */
  readonly signal?: AbortSignal | undefined;
  /** How the customer's sound is to travel. Default: PCM16 at 16 kHz, binary, frames of 100 ms. */
  readonly audio?: Partial<AudioFormat> | undefined;
  /** Default fast: as quickly as it is read. */
  readonly pacing?: Pacing | undefined;
  /** Bytes of the customer's audio that may be under way unread, 4096 or more. Default: no such limit. */
  readonly window?: number | undefined;
  /** Called with each piece of what the customer says as it comes, for agents that listen while it speaks. */
  readonly onCustomer?: CustomerListener | undefined;
  /** A lost connection is taken up again within the session's time of grace. False: it is the end. */
  readonly reconnect?: Reconnection | false | undefined;
  readonly onConnection?: ((change: 'lost' | 'resumed') => void) | undefined;
  /** Times the attempts to reconnect. Default: the system's. */
  readonly clock?: Clock | undefined;
  /** Draws the pauses between them. Default: seeded by the session. */
  readonly random?: Pick<Random, 'next'> | undefined;
}

/** What the agent heard when the episode ended before the customer could speak. */
const SILENCE: CustomerTurn = { text: null, audio: null };

/**
 * Connects to a sandbox, starts one episode and waits for the customer's opening. When the episode is already over
 * (a customer that failed), the opening is silent and the first request answers with the end.
 * Rejects with `ConnectionLostError`, with `MessageRefusedError` (unknown task, speech not offered, …) or, when the
 * other side is no Parlor sandbox of this version, with `ProtocolFaultError`. The socket is closed in each case.
 */
export async function startEpisode(
  assignment: AgentAssignment,
  options: StartEpisodeOptions,
): Promise<EpisodeClient> {
  const { task, mode, seed, trial, token, dial } = assignment;
  const turnTaking = mode === 'speech' ? assignment.turnTaking : undefined;
  const { agent, signal, clock, random, reconnect, onConnection, onCustomer, audio, pacing, window } =
    options;
  const socket = openEventSocket(assignment.url, {
    ...{ token, dial, signal, clock, random, reconnect, onConnection },
  });
  try {
    const hello = await expectEvent(socket, 'hello');
    socket.acknowledge(window ?? 0);
    socket.send({ type: 'episode.start', task, mode, seed, trial, agent, audio, pacing, window, turnTaking });
    const ready = await expectEvent(socket, 'episode.ready');
    const ear = { format: ready.audio ?? DEFAULT_AUDIO, onCustomer };
    const start = await expectEvent(socket, 'customer.start', 'episode.end');
    const facts = { hello, ready, ear };
    if (start.type === 'episode.end')
      return new WebSocketEpisode(socket, { ...facts, opening: SILENCE, end: start });
    const { turn: opening, final, end } = await readUtterance(socket, start, ear);
    socket.settle();
    return new WebSocketEpisode(socket, {
      ...{ ...facts, opening },
      end: end ?? (final ? await expectEvent(socket, 'episode.end') : null),
    });
  } catch (error) {
    socket.close();
    throw error;
  }
}
