import type { EpisodeTiming, RecordSink } from '../../episodes/index.js';
import type { EndOwner, EndReason, Mode } from '../../protocol/index.js';
import { END_OWNERS } from '../../protocol/index.js';
import type { Outcome, WorldSession } from '../../retail/index.js';
import { type Clock, describeError } from '../../shared/index.js';
import { type Speaker, type SpokenLine, type Voice, wavBytes } from '../../speech/index.js';
import type { Customer, CustomerLine } from '../../user/index.js';
import { VoiceRateError } from '../errors.js';
import { SAMPLE_RATE_HZ } from '../options.js';
import type { ToolPort } from '../tool-port.js';
import type { Measure } from './measurement.js';
import { openingState, reduceSession } from './reducer.js';
import type { SessionEffect, SessionEvent, SessionLimits, SessionState } from './state.js';
import { createStopwatch, type Stopwatch } from './stopwatch.js';
import type { SessionTransport } from './transport.js';
import { isOver } from './turn-sequencer.js';

/** Who plays in an episode, and where it is written. */
export interface SessionParts {
  readonly mode: Mode;
  readonly limits: SessionLimits;
  readonly clock: Clock;
  readonly transport: SessionTransport;
  readonly sink: RecordSink;
  readonly world: WorldSession;
  readonly tools: ToolPort;
  /** Called once, when the opening is wanted; what it throws is the customer's failure. */
  readonly createCustomer: () => Customer;
  /** Set in speech mode. */
  readonly voice: { readonly speaker: Speaker; readonly voice: Voice } | null;
  readonly verify: (agentMessages: readonly string[], endedInOrder: boolean) => Outcome;
  /** Called when the record is closed, before the agent hears of the end. */
  readonly onEnd: (result: SessionResult) => void;
  readonly log: (message: string) => void;
  readonly measure: Measure;
}

/** How an episode went. `outcome` is null when nothing could be verified. */
export interface SessionResult {
  readonly episode: string;
  readonly reason: EndReason;
  readonly owner: EndOwner;
  readonly turns: number;
  readonly outcome: Outcome | null;
  readonly timing: EpisodeTiming;
  /** False when the record is not whole, e.g. for a full disk. */
  readonly recorded: boolean;
}

/** Carries out what the reducer decides: the only place of a session that waits. One session, one episode. */
export class SessionRunner {
  readonly #parts: SessionParts;
  readonly #stopwatch: Stopwatch;
  #state: SessionState;
  #customer: Customer | null = null;
  readonly #agentMessages: string[] = [];
  readonly #queue: SessionEvent[] = [];
  #draining = false;
  #floorSinceMs: number;
  #cancelTimer: () => void = () => undefined;
  #outcome: Outcome | null = null;
  #recorded = true;
  /** Resolves when the record is closed and the agent was told. Never rejects. */
  readonly finished: Promise<void>;
  #finish: () => void = () => undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#state = openingState(parts.sink.episode, parts.limits);
    this.#stopwatch = createStopwatch(parts.clock);
    this.#floorSinceMs = parts.clock.nowMs();
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  get over(): boolean {
    return isOver(this.#state.floor);
  }

  /** Takes one event; those that effects cause meanwhile wait for their turn, so transitions never nest. */
  dispatch(event: SessionEvent): void {
    this.#queue.push(event);
    if (this.#draining) return;
    this.#draining = true;
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
        this.#stopwatch.charge(this.#state.floor.holder);
        const { state, effects } = reduceSession(this.#state, next);
        this.#timeFloor(state);
        this.#state = state;
        for (const effect of effects) this.#carryOut(effect);
      }
    } finally {
      this.#draining = false;
    }
  }

  #timeFloor({ floor }: SessionState): void {
    const { holder, generation } = this.#state.floor;
    if (floor.generation === generation) return;
    const nowMs = this.#parts.clock.nowMs();
    this.#parts.measure({ type: 'floor', holder, ms: nowMs - this.#floorSinceMs });
    this.#floorSinceMs = nowMs;
  }

  #carryOut(effect: SessionEffect): void {
    switch (effect.type) {
      case 'record':
        this.#record(effect);
        break;
      case 'send':
        if (effect.event.type === 'error') this.#parts.measure({ type: 'refused', code: effect.event.code });
        this.#parts.transport.send(effect.event);
        break;
      case 'ask':
        void this.#ask(effect);
        break;
      case 'deliver':
        void this.#deliver(effect);
        break;
      case 'call':
        void this.#call(effect);
        break;
      case 'timer':
        this.#setTimer(effect.generation, effect.delayMs);
        break;
      case 'verify':
        this.#verify(effect.endedInOrder);
        break;
      case 'finish':
        void this.#close(effect);
        break;
    }
  }

  #record({ event }: Extract<SessionEffect, { type: 'record' }>): void {
    if (event.type === 'agent') this.#agentMessages.push(event.text);
    if (!this.#recorded) return;
    try {
      this.#parts.sink.append(event);
    } catch (error) {
      this.#recorded = false;
      this.#fail(this.#state.floor.generation, 'platform_failed', error);
    }
  }

  #fail(generation: number, reason: 'customer_failed' | 'platform_failed', error: unknown): void {
    const detail = describeError(error);
    this.#parts.log(`${this.#state.episode}: ${reason}: ${detail}`);
    this.dispatch({ type: 'failed', generation, reason, detail });
  }

  async #ask({ generation, agentText }: Extract<SessionEffect, { type: 'ask' }>): Promise<void> {
    let line: CustomerLine;
    try {
      this.#customer ??= this.#parts.createCustomer();
      line = await (agentText === null ? this.#customer.open() : this.#customer.reply(agentText));
    } catch (error) {
      this.#fail(generation, 'customer_failed', error);
      return;
    }
    try {
      this.dispatch({ type: 'line', generation, line, spoken: await this.#speak(line) });
    } catch (error) {
      this.#fail(generation, 'platform_failed', error);
    }
  }

  /** The sound is kept before the record names it. */
  async #speak(line: CustomerLine): Promise<SpokenLine | null> {
    const { voice, sink, clock } = this.#parts;
    if (voice === null || line.text === '') return null;
    const startMs = clock.nowMs();
    const spoken = await voice.speaker.speak(line.text, voice.voice);
    const { sampleRateHz } = spoken.clip;
    if (sampleRateHz !== SAMPLE_RATE_HZ)
      throw new VoiceRateError(
        `the sandbox promised audio at ${SAMPLE_RATE_HZ} Hz; the voice ${spoken.voiceId} speaks at ${sampleRateHz} Hz`,
      );
    await sink.audio(spoken.sha256, wavBytes(spoken.clip));
    const ms = clock.nowMs() - startMs;
    this.#stopwatch.spoke(ms, spoken.durationMs);
    this.#parts.measure({ type: 'speech', ms });
    return spoken;
  }

  async #deliver(effect: Extract<SessionEffect, { type: 'deliver' }>): Promise<void> {
    const { generation, turn, utterance, line, spoken } = effect;
    const { transport } = this.#parts;
    transport.send({ type: 'customer.start', turn, utterance, form: spoken === null ? 'text' : 'speech' });
    if (spoken !== null) {
      await transport.sendAudio({ utterance, ...spoken.clip, stillWanted: () => !this.over });
    } else if (line.text !== '') {
      transport.send({ type: 'customer.text', utterance, text: line.text });
    }
    const sound = { durationMs: spoken?.durationMs ?? 0, samples: spoken?.clip.samples.length ?? 0 };
    if (!this.over)
      transport.send({ type: 'customer.end', turn, utterance, ...sound, final: line.end !== undefined });
    this.dispatch({ type: 'delivered', generation });
  }

  async #call(effect: Extract<SessionEffect, { type: 'call' }>): Promise<void> {
    const { generation, callId, name, arguments: args } = effect;
    const startMs = this.#parts.clock.nowMs();
    const measure = (status: 'result' | 'error' | 'failed') =>
      this.#parts.measure({ type: 'tool', name, status, ms: this.#parts.clock.nowMs() - startMs });
    try {
      const result = await this.#parts.tools.call(name, args);
      measure(result.ok ? 'result' : 'error');
      this.dispatch({
        ...{ type: 'result', generation, callId, ok: result.ok, content: result.content },
        transferred: this.#parts.world.transferred,
      });
    } catch (error) {
      measure('failed');
      this.#fail(generation, 'platform_failed', error);
    }
  }

  #setTimer(generation: number, delayMs: number | null): void {
    this.#cancelTimer();
    if (delayMs === null) return;
    this.#cancelTimer = this.#parts.clock.after(delayMs, () =>
      this.dispatch({ type: 'timeout', generation }),
    );
  }

  #verify(endedInOrder: boolean): void {
    try {
      this.#outcome = this.#parts.verify(this.#agentMessages, endedInOrder);
    } catch (error) {
      this.#parts.log(`${this.#state.episode}: cannot be verified: ${describeError(error)}`);
    }
    this.dispatch({ type: 'verified', outcome: this.#outcome });
  }

  async #close({ event }: Extract<SessionEffect, { type: 'finish' }>): Promise<void> {
    const { sink, tools, transport, onEnd, log } = this.#parts;
    for (const done of await Promise.allSettled([sink.finish(), tools.close()])) {
      if (done.status === 'fulfilled') continue;
      this.#recorded = false;
      log(`${this.#state.episode}: ${describeError(done.reason)}`);
    }
    const { turn, episode } = this.#state;
    const reason = this.#state.end ?? 'platform_failed';
    try {
      onEnd({
        ...{ episode, reason, owner: END_OWNERS[reason], turns: turn, outcome: this.#outcome },
        timing: { episode, ...this.#stopwatch.total() },
        recorded: this.#recorded,
      });
    } catch (error) {
      log(`${episode}: ${describeError(error)}`);
    }
    transport.send(event);
    this.#finish();
  }
}
