import type { ServerEvent } from '../../protocol/index.js';
import { UsageError } from '../../shared/index.js';
import type {
  CallResult,
  CallStep,
  CallsStep,
  CustomerAside,
  CustomerTurn,
  EpisodeClient,
  EpisodeEndEvent,
  EpisodeReadyEvent,
  HelloEvent,
  InterventionStep,
  Reasons,
  Saying,
  SayStep,
  StopReason,
  WantedCall,
} from '../episode-client.js';
import { MessageRefusedError, ProtocolFaultError } from '../errors.js';
import type { Incoming } from './connection.js';
import type { EventSocket } from './event-socket.js';
import { expectEvent } from './expect-event.js';
import type { AgentMessage } from './unanswered.js';
import { type Ear, readUtterance } from './utterance.js';
import type { AgentVoice } from './voice.js';

/** The tool that hands the customer over; calls behind it are cancelled, though the episode goes on for one message. */
const TRANSFER = 'transfer_to_human_agents';

type ServerEventOf<T extends ServerEvent['type']> = Extract<ServerEvent, { type: T }>;

export interface EpisodeFacts {
  readonly hello: HelloEvent;
  readonly ready: EpisodeReadyEvent;
  readonly opening: CustomerTurn;
  readonly ear: Ear;
  /** Set when the episode was over before the agent could act. */
  readonly end: EpisodeEndEvent | null;
}

const ANSWERS = ['customer.start', 'agent.interrupted', 'intervention'] as const;
type SayEvent = ServerEventOf<(typeof ANSWERS)[number]> | EpisodeEndEvent;

const isEnd = (item: Incoming): boolean => item.kind === 'event' && item.event.type === 'episode.end';

const asSaying = (said: string | Saying): Saying => (typeof said === 'string' ? { text: said } : said);

/** The line to one running episode, behind the agent's contract. */
export class WebSocketEpisode implements EpisodeClient {
  readonly hello: HelloEvent;
  readonly ready: EpisodeReadyEvent;
  readonly opening: CustomerTurn;
  readonly #socket: EventSocket;
  readonly #ear: Ear;
  #end: EpisodeEndEvent | null;
  #calls = 0;
  #utterance = 0;
  /** What the customer said last, and whether it still waits to be given out by the iterator. */
  #heard: CustomerTurn;
  #isWaiting = true;

  constructor(socket: EventSocket, facts: EpisodeFacts) {
    this.#socket = socket;
    this.hello = facts.hello;
    this.ready = facts.ready;
    this.opening = facts.opening;
    this.#heard = facts.opening;
    this.#ear = facts.ear;
    this.#end = facts.end;
  }

  get end(): EpisodeEndEvent | null {
    return this.#end;
  }

  async say(said: string | Saying, why?: Reasons): Promise<SayStep> {
    const { text, voice, silentMs, yieldMs } = asSaying(said);
    if (voice !== undefined && voice.samples.length === 0)
      throw new MessageRefusedError('bad_message', 'the voice holds no sample');
    const words = text === undefined ? {} : { text };
    const request: AgentMessage = { type: 'agent.message', ...words, silentMs, yieldMs, ...why };
    const first = await this.#exchange(request, voice, ...ANSWERS);
    const { event, along } = await this.#listenAlong(first);
    if (event.type === 'episode.end') return { kind: 'end', end: event };
    if (event.type === 'intervention') return this.#intervened(event);
    this.#utterance = event.utterance;
    const { turn, final, end } = await readUtterance(this.#socket, event, this.#ear);
    this.#socket.settle();
    const customer = { ...turn, ...along };
    if (!final) {
      this.#heard = customer;
      this.#isWaiting = true;
      return { kind: 'customer', customer };
    }
    this.#end = end;
    return { kind: 'end', end: end ?? (await this.#awaitEnd()), customer };
  }

  /** With turn-taking: what the customer does while the agent speaks, up to what it answers with. */
  async #listenAlong(first: SayEvent): Promise<{
    readonly event: Exclude<SayEvent, { type: 'agent.interrupted' }>;
    readonly along: Pick<CustomerTurn, 'brokeIn' | 'asides'>;
  }> {
    const asides: CustomerAside[] = [];
    let brokeIn: CustomerTurn['brokeIn'];
    let event = first;
    while (
      event.type === 'agent.interrupted' ||
      (event.type === 'customer.start' && event.aside !== undefined)
    ) {
      if (event.type === 'agent.interrupted') brokeIn = { text: event.heardText, ms: event.heardMs };
      else {
        const { turn, end } = await readUtterance(this.#socket, event, this.#ear);
        if (event.aside !== undefined) asides.push({ kind: event.aside, audio: turn.audio });
        if (end !== null) return { event: this.#ended(end), along: {} };
      }
      event = await expectEvent(this.#socket, ...ANSWERS, 'episode.end');
    }
    if (event.type === 'episode.end') this.#end = event;
    return {
      event,
      along: {
        ...(brokeIn === undefined ? {} : { brokeIn }),
        ...(asides.length === 0 ? {} : { asides }),
      },
    };
  }

  #ended(end: EpisodeEndEvent): EpisodeEndEvent {
    this.#end = end;
    return end;
  }

  async call(name: string, args: WantedCall['arguments'], why?: Reasons): Promise<CallStep> {
    const request: AgentMessage = { type: 'tool.call', ...this.#named({ name, arguments: args }), ...why };
    const event = await this.#exchange(request, undefined, 'tool.result', 'intervention');
    if (event.type === 'episode.end') return { kind: 'end', end: event };
    if (event.type === 'intervention') return this.#intervened(event);
    this.#socket.settle();
    // Only an end cancels a call that was made alone.
    if (event.status === 'cancelled') return { kind: 'end', end: await this.#awaitEnd() };
    return { kind: 'result', ok: event.ok, content: event.content };
  }

  async callAll(wanted: readonly WantedCall[], why?: Reasons): Promise<CallsStep> {
    if (wanted.length === 0) return { results: [], end: this.#end, intervention: null };
    const calls = wanted.map((call) => this.#named(call));
    const results: CallResult[] = [];
    const request: AgentMessage = { type: 'tool.calls', calls, ...why };
    let event: ServerEventOf<'tool.result' | 'intervention' | 'episode.end'> = await this.#exchange(
      request,
      undefined,
      ...(['tool.result', 'intervention'] as const),
    );
    for (;;) {
      if (event.type === 'intervention') return { results, end: null, intervention: this.#intervened(event) };
      if (event.type === 'episode.end') {
        this.#end = event;
        break;
      }
      const { status, ok, content } = event;
      results.push({ status, ok, content });
      if (results.length === calls.length) break;
      event = await expectEvent(this.#socket, 'tool.result', 'intervention', 'episode.end');
    }
    this.#socket.settle();
    const isCut = results.some(({ status }) => status === 'cancelled');
    const isHandedOver = results.some(({ ok }, place) => ok && calls[place]?.name === TRANSFER);
    if (isCut && !isHandedOver && this.#end === null) await this.#awaitEnd();
    return { results, end: this.#end, intervention: null };
  }

  interrupt(heardSamples?: number): void {
    if (this.#end !== null) return;
    const heard = heardSamples === undefined ? {} : { heardSamples };
    this.#socket.send({ type: 'interrupt', utterance: this.#utterance, ...heard });
  }

  stop(why?: StopReason): Promise<EpisodeEndEvent> {
    return this.#exchange({ type: 'agent.stop', ...why }, undefined, 'episode.end');
  }

  close(): void {
    this.#socket.close();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<CustomerTurn, void, undefined> {
    while (this.#end === null) {
      if (!this.#isWaiting)
        throw new UsageError(
          'nothing-said',
          'the customer waits for an answer: call `say` (or `stop`) before you ask for what it says next',
        );
      this.#isWaiting = false;
      yield this.#heard;
    }
  }

  /** Nothing was said or done: what the customer said last still waits for an answer. */
  #intervened({ count, message }: ServerEventOf<'intervention'>): InterventionStep {
    this.#isWaiting = true;
    return { kind: 'intervention', count, message };
  }

  #named({ name, arguments: args }: WantedCall) {
    this.#calls += 1;
    return {
      callId: `call-${this.#calls}`,
      name,
      arguments: typeof args === 'string' ? args : { ...args },
    };
  }

  async #awaitEnd(): Promise<EpisodeEndEvent> {
    for (;;) {
      const event = await expectEvent(this.#socket, 'episode.end', 'customer.start');
      if (event.type === 'episode.end') return this.#ended(event);
      await readUtterance(this.#socket, event, this.#ear);
    }
  }

  /** Sends one message and gives the event that answers it; an end that has already come is the answer to everything. */
  async #exchange<T extends ServerEvent['type']>(
    message: AgentMessage,
    voice: AgentVoice | undefined,
    ...types: readonly T[]
  ): Promise<ServerEventOf<T> | EpisodeEndEvent> {
    if (this.#end !== null) return this.#end;
    if (this.#socket.waiting.some(isEnd)) return this.#awaitEnd();
    const bytes = Buffer.byteLength(JSON.stringify(message));
    const { maxMessageBytes } = this.hello.limits;
    if (bytes > maxMessageBytes)
      throw new MessageRefusedError(
        'too_large',
        `a message is at most ${maxMessageBytes} bytes; got ${bytes}`,
      );
    this.#socket.send(message, voice);
    let event = await this.#answer(voice !== undefined);
    const wanted: readonly string[] = [...types, 'episode.end'];
    // With turn-taking the customer may ask meanwhile whether anybody is there.
    while (event.type === 'customer.start' && event.aside !== undefined && !wanted.includes(event.type)) {
      await readUtterance(this.#socket, event, this.#ear);
      event = await this.#answer(voice !== undefined);
    }
    if (event.type === 'episode.end') this.#end = event;
    if (!wanted.includes(event.type))
      throw new ProtocolFaultError(`expected ${wanted.join(' or ')} from the sandbox; got ${event.type}`);
    return event as ServerEventOf<T> | EpisodeEndEvent;
  }

  /** A voice that is refused has its message refused, too, by its name; the first reason is the real one. */
  async #answer(withVoice: boolean): Promise<ServerEvent> {
    let why: MessageRefusedError | null = null;
    for (;;) {
      const item = await this.#socket.next();
      if (item.kind === 'audio') throw new ProtocolFaultError('the sandbox sent an audio frame out of place');
      if (item.event.type !== 'error') return item.event;
      why ??= new MessageRefusedError(item.event.code, item.event.message);
      if (withVoice && item.event.messageId === undefined) continue;
      this.#socket.settle();
      throw why;
    }
  }
}
