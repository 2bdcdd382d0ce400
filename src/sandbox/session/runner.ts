import { describeError } from '../../shared/index.js';
import type { CustomerLine } from '../../user/index.js';
import { type CallClock, createCallClock } from '../duplex/call-clock.js';
import { type LiveEar, openLiveEar } from '../duplex/live-ear.js';
import { FIRST_REVIEW } from './ask-review.js';
import { type CallDesk, createCallDesk } from './call-desk.js';
import { CustomerSeat } from './customer-seat.js';
import { EpisodeBook } from './episode-book.js';
import { listen } from './listener.js';
import { reviewAction } from './live-judge.js';
import { Mouth } from './mouth.js';
import type { SessionParts } from './parts.js';
import { openingState, reduceSession } from './reducer.js';
import type { CallAnswer, EffectOf, SessionEffect, SessionEvent, SessionState } from './state.js';
import { createStopwatch, type Stopwatch } from './stopwatch.js';
import { readCall } from './tool-arguments.js';
import { isOver } from './turn-sequencer.js';

/** Carries out what the reducer decides: the only place of a session that waits. One session, one episode. */
export class SessionRunner {
  readonly #parts: SessionParts;
  readonly #stopwatch: Stopwatch;
  readonly #book: EpisodeBook;
  #state: SessionState;
  readonly #customer: CustomerSeat;
  readonly #callClock: CallClock;
  /** Hears what the agent uploads as it comes; null: its messages are heard as wholes. */
  readonly ear: LiveEar | null;
  readonly #queue: { readonly event: SessionEvent; readonly messageId?: string | undefined }[] = [];
  #draining = false;
  #floorSinceMs: number;
  #messageId: string | undefined;
  readonly #desk: CallDesk;
  #cancelTimer: () => void = () => undefined;
  readonly #mouth: Mouth;
  /** Resolves when the record is closed and the agent was told. Never rejects. */
  readonly finished: Promise<void>;
  #finish: () => void = () => undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    const opening = openingState(parts.sink.episode, parts.limits, parts.pacing);
    const { live, duplex = null } = parts;
    this.#state = {
      ...opening,
      duplex: duplex?.opening ?? null,
      review: live === null ? null : FIRST_REVIEW,
    };
    this.#stopwatch = createStopwatch(parts.clock);
    this.#book = new EpisodeBook(parts);
    this.#customer = new CustomerSeat(parts, this.#stopwatch);
    this.#callClock = createCallClock(parts);
    this.#mouth = new Mouth({
      transport: parts.transport,
      tell: (event) => this.dispatch(event),
      log: (message) => parts.log(`${parts.sink.episode}: ${message}`),
      standing: () => ({ over: this.over, interrupted: this.#state.interruption !== null }),
    });
    this.ear = openLiveEar(parts, this.#callClock, (event) => this.dispatch(event));
    this.#floorSinceMs = parts.clock.nowMs();
    this.#desk = createCallDesk(parts.clock, parts.limits.feedbackTimeoutMs);
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  get over(): boolean {
    return isOver(this.#state.floor);
  }

  /** The turn whose feedback the client has seen last. */
  get openTurn(): number {
    return this.#state.openTurn;
  }

  /**
   * Takes one event; those that effects cause meanwhile wait for their turn, so transitions never nest. False: the
   * message that it stands for was refused.
   */
  dispatch(event: SessionEvent, messageId?: string): boolean {
    this.#queue.push({ event, messageId });
    if (this.#draining) return true;
    this.#draining = true;
    let taken = true;
    try {
      for (
        let next = this.#queue.shift();
        next !== undefined;
        next = this.#queue.shift() ?? this.#nextCall()
      ) {
        this.#stopwatch.charge(this.#state.floor.holder);
        const { state, effects, refused } = reduceSession(this.#callClock.show(this.#state), next.event);
        this.#timeFloor(state);
        this.#state = state;
        this.#messageId = next.messageId;
        for (const effect of effects) this.#carryOut(effect);
        if (next.event === event) taken = refused !== true;
      }
    } finally {
      this.#draining = false;
    }
    return taken;
  }

  /**
   * A tool call from beside the transport. It waits for the agent's floor (as long as feedback may take), is a turn like
   * any other, and is answered here and not on the wire; a `callId` that was used gets its first answer again.
   */
  callTool(call: Parameters<typeof readCall>[0]): Promise<CallAnswer> {
    const answer = this.#desk.ask(readCall(call));
    const next = this.#draining ? undefined : this.#nextCall();
    if (next !== undefined) this.dispatch(next.event);
    return answer;
  }

  #nextCall(): { readonly event: SessionEvent; readonly messageId?: undefined } | undefined {
    if (this.#state.floor.holder !== 'agent') return undefined;
    const call = this.#desk.next();
    return call === null
      ? undefined
      : { event: { type: 'calls', calls: [call], batched: false, wire: false } };
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
        this.#send(effect);
        break;
      case 'ask':
        void this.#ask(effect);
        break;
      case 'aside':
        void this.#aside(effect);
        break;
      case 'deliver':
        void this.#deliver(effect);
        break;
      case 'call':
        void this.#call(effect);
        break;
      case 'review':
        void this.#review(effect);
        break;
      case 'hush':
        this.#callClock.later(effect.afterMs ?? 0, this.#mouth.hush);
        break;
      case 'silence':
        this.#callClock.remind(effect.delayMs, () => this.dispatch(effect));
        break;
      case 'listen':
        void this.#listen(effect);
        break;
      case 'answer':
        this.#answer(effect);
        break;
      case 'timer':
        this.#setTimer(effect.generation, effect.delayMs);
        break;
      case 'verify':
        this.#mouth.hush();
        this.dispatch({ type: 'verified', outcome: this.#book.verify(effect.endedInOrder) });
        break;
      case 'finish':
        void this.#close(effect);
        break;
    }
  }

  #send({ event }: EffectOf<'send'>): void {
    const { measure, transport } = this.#parts;
    if (event.type === 'error') measure({ type: 'refused', code: event.code });
    const named = event.type === 'error' && this.#messageId !== undefined;
    transport.send(named ? { ...event, messageId: this.#messageId } : event);
  }

  #answer({ callId, turn, wire, answer, repeated }: EffectOf<'answer'>): void {
    this.#desk.answered(callId, answer);
    if (!wire) return;
    this.#parts.transport.send({
      ...{ type: 'tool.result', turn, callId, ...answer },
      ...(repeated ? { repeated } : {}),
    });
  }

  #record(effect: EffectOf<'record'>): void {
    try {
      this.#book.append(effect);
    } catch (error) {
      this.#fail(this.#state.floor.generation, 'platform_failed', error);
    }
  }

  #fail(generation: number, reason: 'customer_failed' | 'platform_failed', error: unknown): void {
    const detail = describeError(error);
    this.#parts.log(`${this.#state.episode}: ${reason}: ${detail}`);
    this.dispatch({ type: 'failed', generation, reason, detail });
  }

  async #ask(effect: EffectOf<'ask'>): Promise<void> {
    const { generation } = effect;
    let line: CustomerLine;
    try {
      line = await this.#customer.line(effect, this.#state.utterances);
    } catch (error) {
      this.#fail(generation, 'customer_failed', error);
      return;
    }
    try {
      const said = await this.#customer.speak(line.text, this.#state.utterances);
      this.dispatch({ type: 'line', generation, line, ...said });
    } catch (error) {
      this.#fail(generation, 'platform_failed', error);
    }
  }

  async #aside({ generation, kind, at }: EffectOf<'aside'>): Promise<void> {
    const text = this.#customer.phrase(kind, this.#state.utterances);
    try {
      const { spoken } = await this.#customer.speak(text, this.#state.utterances);
      if (spoken !== null) this.dispatch({ type: 'aside', generation, kind, at, text, spoken });
    } catch (error) {
      this.#fail(generation, 'platform_failed', error);
    }
  }

  async #deliver(effect: EffectOf<'deliver'>): Promise<void> {
    const { generation, callSample } = effect;
    try {
      if (callSample !== undefined) {
        await this.#callClock.until(callSample);
        if (this.#state.floor.generation !== generation) return;
      }
      await this.#mouth.say(effect);
    } catch (error) {
      this.#fail(generation, 'platform_failed', error);
    }
  }

  async #listen({ generation, said }: EffectOf<'listen'>): Promise<void> {
    await listen(said, this.#parts).then(
      (heard) => this.dispatch({ type: 'heard', generation, said: heard }),
      (error) => this.#fail(generation, 'platform_failed', error),
    );
  }

  async #call({ generation, call: { name, arguments: args } }: EffectOf<'call'>): Promise<void> {
    const { clock, tools, world } = this.#parts;
    const startMs = clock.nowMs();
    const measure = (status: 'result' | 'error' | 'failed') =>
      this.#parts.measure({ type: 'tool', name, status, ms: clock.nowMs() - startMs });
    try {
      const { ok, content } = await tools.call(name, args);
      measure(ok ? 'result' : 'error');
      this.dispatch({ type: 'result', generation, ok, content, transferred: world.transferred });
    } catch (error) {
      measure('failed');
      this.#fail(generation, 'platform_failed', error);
    }
  }

  async #review({ generation, proposed }: EffectOf<'review'>): Promise<void> {
    const { live, log } = this.#parts;
    const objection = live === null ? null : await reviewAction(live, proposed, log);
    this.dispatch({ type: 'reviewed', generation, objection });
  }

  #setTimer(generation: number, delayMs: number | null): void {
    this.#cancelTimer();
    if (delayMs === null) return;
    this.#cancelTimer = this.#parts.clock.after(delayMs, () =>
      this.dispatch({ type: 'timeout', generation }),
    );
  }

  async #close({ event }: EffectOf<'finish'>): Promise<void> {
    this.#desk.close();
    this.#callClock.stop();
    await this.#book.close(this.#state.end ?? 'platform_failed', this.#state.turn, this.#stopwatch);
    this.#parts.transport.send(event);
    this.#finish();
  }
}
