import type { EpisodeFactory, EpisodeStart } from '../episode-factory.js';
import type { EpisodeSummary } from '../options.js';
import type { SessionRunner } from '../session/runner.js';
import type { OutgoingEvent, SessionEvent } from '../session/state.js';
import type { SessionTransport } from '../session/transport.js';

type EventOf<T extends OutgoingEvent['type']> = Extract<OutgoingEvent, { type: T }>;
export type EpisodeEnd = EventOf<'episode.end'>;

export interface CustomerTurn {
  readonly turn: number;
  readonly text: string;
  readonly sound: { readonly samples: Int16Array; readonly sampleRateHz: number } | null;
}

/** What came of one action of the agent. `end` is set when the episode is over. */
export interface EpisodeStep {
  readonly customer: CustomerTurn | null;
  readonly tool: { readonly turn: number; readonly ok: boolean; readonly content: string } | null;
  /** The action could not be taken, or a judge broke in: nothing was done. */
  readonly refused: string | null;
  readonly end: EpisodeEnd | null;
}

/** Events in order, for one reader who may come before or after them. */
class Inbox {
  readonly #events: OutgoingEvent[] = [];
  #wake: (() => void) | null = null;

  push(event: OutgoingEvent): void {
    this.#events.push(event);
    this.#wake?.();
  }

  async next(): Promise<OutgoingEvent> {
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) return event;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/**
 * An episode without a socket: one action in, its feedback out. The session behind it is the one that agents on the
 * WebSocket get, with the same record, limits and verdict. One action at a time; the caller sees to that.
 */
export class InProcessEpisode {
  readonly #inbox = new Inbox();
  #session: SessionRunner | null = null;
  #chunks: Int16Array[] = [];
  #sampleRateHz = 0;
  #end: EpisodeEnd | null = null;
  #ending: SessionEvent | null = null;
  #ready: EventOf<'episode.ready'> | null = null;

  /** Rejects when the episode cannot be set up. Resolves with the customer's opening. */
  async open(
    factory: EpisodeFactory,
    start: EpisodeStart,
    onEnd: (summary: EpisodeSummary) => void,
  ): Promise<EpisodeStep> {
    const transport: SessionTransport = {
      send: (event) => {
        if (event.type === 'customer.start') this.#chunks = [];
        if (event.type === 'episode.ready') this.#ready = event;
        else this.#inbox.push(event);
      },
      sendAudio: async ({ samples, sampleRateHz }) => {
        this.#chunks.push(samples);
        this.#sampleRateHz = sampleRateHz;
        return { samples: samples.length, sampleRateHz };
      },
    };
    const session = await factory.open(start, transport, onEnd);
    this.#session = session;
    session.dispatch(this.#ending ?? { type: 'begin' });
    return this.#feedback();
  }

  /** The id of its record; empty before it is open. */
  get episode(): string {
    return this.#ready?.episode ?? '';
  }

  get policy(): string {
    return this.#ready?.policy ?? '';
  }

  act(
    event: Extract<SessionEvent, { type: 'message' | 'calls' | 'stop' | 'refused' }>,
  ): Promise<EpisodeStep> {
    if (this.#session?.over === false) this.#session.dispatch(event);
    return this.#feedback();
  }

  /** Ends it from outside; resolves when the record is closed. Safe at any time. */
  async leave(event: Extract<SessionEvent, { type: 'disconnected' | 'shutdown' }>): Promise<void> {
    this.#ending ??= event;
    this.#session?.dispatch(event);
    await this.#session?.finished;
  }

  async #feedback(): Promise<EpisodeStep> {
    let step: EpisodeStep = { customer: null, tool: null, refused: null, end: this.#end };
    let text = '';
    while (step.end === null) {
      const event = await this.#inbox.next();
      if (event.type === 'customer.text') text += event.text;
      else if (event.type === 'customer.end')
        step = { ...step, customer: { turn: event.turn, text, sound: this.#sound() } };
      else if (event.type === 'tool.result')
        step = { ...step, tool: { turn: event.turn, ok: event.ok, content: event.content } };
      else if (event.type === 'error') step = { ...step, refused: event.message };
      else if (event.type === 'intervention')
        step = { ...step, refused: `not done, a judge broke in: ${event.message}` };
      else if (event.type === 'episode.end') {
        this.#end = event;
        step = { ...step, end: event };
      }
      const answered = step.customer !== null || step.tool !== null || step.refused !== null;
      // What ends with this answer says so before anything else can happen.
      if (answered && this.#session?.over === false) break;
    }
    return step;
  }

  #sound(): CustomerTurn['sound'] {
    if (this.#chunks.length === 0) return null;
    const samples = new Int16Array(this.#chunks.reduce((total, chunk) => total + chunk.length, 0));
    let offset = 0;
    for (const chunk of this.#chunks) {
      samples.set(chunk, offset);
      offset += chunk.length;
    }
    return { samples, sampleRateHz: this.#sampleRateHz };
  }
}
