import {
  type ClientMessageInput,
  DEFAULT_AUDIO,
  pcm16FromBytes,
  type ServerEvent,
} from '../protocol/index.js';
import type { AgentAssignment } from './agent.js';
import type {
  CallStep,
  CustomerTurn,
  EpisodeClient,
  EpisodeEndEvent,
  InterventionStep,
  Reasons,
  SayStep,
  StopReason,
} from './episode-client.js';
import { MessageRefusedError, ProtocolFaultError } from './errors.js';
import { type EventSocket, openEventSocket } from './event-socket.js';

export interface StartEpisodeOptions {
  /** The agent's name, for the record. */
  readonly agent: string;
  /** Aborting drops the connection; whatever is pending rejects with `ConnectionLostError`. */
  readonly signal?: AbortSignal | undefined;
}

/** What the agent heard when the episode ended before the customer could speak. */
const SILENCE: CustomerTurn = { text: null, audio: null };

type ServerEventOf<T extends ServerEvent['type']> = Extract<ServerEvent, { type: T }>;

/** The next event, which must be of one of the wanted types; an `error` event throws, any other is out of place. */
async function expectEvent<T extends ServerEvent['type']>(
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

interface Utterance {
  readonly turn: CustomerTurn;
  readonly final: boolean;
  /** Set when the episode ended in the middle of it. */
  readonly end: EpisodeEndEvent | null;
}

/** Collects one utterance, text and audio in any mixture, up to its `customer.end`. */
async function readUtterance(
  socket: EventSocket,
  start: ServerEventOf<'customer.start'>,
  sampleRateHz: number,
): Promise<Utterance> {
  const texts: string[] = [];
  const chunks: Int16Array[] = [];
  let sampleCount = 0;
  const misplaced = (what: string) =>
    new ProtocolFaultError(`in utterance ${start.utterance} the sandbox sent ${what}`);
  for (;;) {
    const item = await socket.next();
    if (item.kind === 'audio') {
      const { utterance, sampleOffset, data } = item.frame;
      const expected = start.sampleOffset + sampleCount;
      if (utterance !== start.utterance || sampleOffset !== expected)
        throw misplaced(`audio of utterance ${utterance} at sample ${sampleOffset}, expected ${expected}`);
      const samples = pcm16FromBytes(data);
      chunks.push(samples);
      sampleCount += samples.length;
    } else if (item.event.type === 'customer.text') {
      texts.push(item.event.text);
    } else if (item.event.type === 'customer.end') {
      if (item.event.samples !== sampleCount)
        throw misplaced(`${sampleCount} samples but announces ${item.event.samples}`);
      return { turn: joinTurn(texts, chunks, sampleRateHz), final: item.event.final, end: null };
    } else if (item.event.type === 'episode.end') {
      return { turn: joinTurn(texts, chunks, sampleRateHz), final: true, end: item.event };
    } else {
      throw misplaced(`${item.event.type}`);
    }
  }
}

function joinTurn(
  texts: readonly string[],
  chunks: readonly Int16Array[],
  sampleRateHz: number,
): CustomerTurn {
  const samples = new Int16Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    samples.set(chunk, offset);
    offset += chunk.length;
  }
  return {
    text: texts.length === 0 ? null : texts.join(''),
    audio: samples.length === 0 ? null : { samples, sampleRateHz },
  };
}

interface EpisodeFacts {
  readonly ready: EpisodeClient['ready'];
  readonly opening: CustomerTurn;
  readonly sampleRateHz: number;
  /** Set when the episode was over before the agent could act. */
  readonly end: EpisodeEndEvent | null;
}

const interventionStep = ({ count, message }: ServerEventOf<'intervention'>): InterventionStep => ({
  ...{ kind: 'intervention', count, message },
});

/** The socket of one running episode, behind the agent's contract. */
class WebSocketEpisode implements EpisodeClient {
  readonly ready: EpisodeClient['ready'];
  readonly opening: CustomerTurn;
  readonly #socket: EventSocket;
  readonly #sampleRateHz: number;
  #end: EpisodeEndEvent | null;
  #calls = 0;

  constructor(socket: EventSocket, facts: EpisodeFacts) {
    this.#socket = socket;
    this.ready = facts.ready;
    this.opening = facts.opening;
    this.#sampleRateHz = facts.sampleRateHz;
    this.#end = facts.end;
  }

  async say(text: string, why?: Reasons): Promise<SayStep> {
    const event = await this.#exchange(
      { type: 'agent.message', text, ...why },
      'customer.start',
      'intervention',
    );
    if (event.type === 'episode.end') return { kind: 'end', end: event };
    if (event.type === 'intervention') return interventionStep(event);
    const { turn, final, end } = await readUtterance(this.#socket, event, this.#sampleRateHz);
    if (!final) return { kind: 'customer', customer: turn };
    this.#end = end;
    return { kind: 'end', end: end ?? (await this.#awaitEnd()), customer: turn };
  }

  async call(
    name: string,
    args: Readonly<Record<string, unknown>> | string,
    why?: Reasons,
  ): Promise<CallStep> {
    this.#calls += 1;
    const event = await this.#exchange(
      {
        ...{ type: 'tool.call', callId: `call-${this.#calls}`, name, ...why },
        arguments: typeof args === 'string' ? args : { ...args },
      },
      'tool.result',
      'intervention',
    );
    if (event.type === 'episode.end') return { kind: 'end', end: event };
    if (event.type === 'intervention') return interventionStep(event);
    // Only an end cancels a call that was made alone.
    if (event.status === 'cancelled') return { kind: 'end', end: await this.#awaitEnd() };
    return { kind: 'result', ok: event.ok, content: event.content };
  }

  stop(why?: StopReason): Promise<EpisodeEndEvent> {
    return this.#exchange({ type: 'agent.stop', ...why }, 'episode.end');
  }

  close(): void {
    this.#socket.close();
  }

  async #awaitEnd(): Promise<EpisodeEndEvent> {
    this.#end = await expectEvent(this.#socket, 'episode.end');
    return this.#end;
  }

  /** Sends one message and gives the event that answers it; an end that has already come is the answer to everything. */
  async #exchange<T extends ServerEvent['type']>(
    message: ClientMessageInput,
    ...types: readonly T[]
  ): Promise<ServerEventOf<T> | EpisodeEndEvent> {
    if (this.#end !== null) return this.#end;
    if (this.#socket.waiting.length > 0) return this.#awaitEnd();
    this.#socket.send(message);
    const event: ServerEvent = await expectEvent<ServerEvent['type']>(this.#socket, ...types, 'episode.end');
    if (event.type !== 'episode.end') return event as ServerEventOf<T>;
    this.#end = event;
    return event;
  }
}

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
  const { task, mode, seed, trial, token } = assignment;
  const socket = openEventSocket(assignment.url, { token, signal: options.signal });
  try {
    await expectEvent(socket, 'hello');
    socket.send({ type: 'episode.start', task, mode, seed, trial, agent: options.agent });
    const ready = await expectEvent(socket, 'episode.ready');
    const { sampleRateHz } = ready.audio ?? DEFAULT_AUDIO;
    const start = await expectEvent(socket, 'customer.start', 'episode.end');
    if (start.type === 'episode.end')
      return new WebSocketEpisode(socket, { ready, opening: SILENCE, sampleRateHz, end: start });
    const { turn: opening, final, end } = await readUtterance(socket, start, sampleRateHz);
    return new WebSocketEpisode(socket, {
      ...{ ready, opening, sampleRateHz },
      end: end ?? (final ? await expectEvent(socket, 'episode.end') : null),
    });
  } catch (error) {
    socket.close();
    throw error;
  }
}
