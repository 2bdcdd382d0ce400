import { END_OWNERS, type EndReason } from '../../protocol/index.js';
import type { Outcome } from '../../retail/index.js';
import { describeError } from '../../shared/index.js';
import type { SessionParts } from './parts.js';
import type { EffectOf } from './state.js';
import type { Stopwatch } from './stopwatch.js';

/** Keeps what is left of an episode: its record, its verdict, and at the end who is told of them. */
export class EpisodeBook {
  readonly #parts: SessionParts;
  readonly #agentMessages: string[] = [];
  #outcome: Outcome | null = null;
  #isWhole = true;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /** Throws once, when the record cannot be written; nothing is written after that. */
  append({ event }: EffectOf<'record'>): void {
    if (event.type === 'agent') this.#agentMessages.push(event.text);
    // What nobody heard was not communicated.
    if (event.type === 'customer_interrupted') this.#agentMessages.splice(-1, 1, event.heardText);
    this.#parts.live?.past.push(event);
    if (!this.#isWhole) return;
    try {
      this.#parts.sink.append(event);
    } catch (error) {
      this.#isWhole = false;
      throw error;
    }
  }

  /** Null when it cannot be said, which the log tells. */
  verify(endedInOrder: boolean): Outcome | null {
    try {
      this.#outcome = this.#parts.verify(this.#agentMessages, endedInOrder);
    } catch (error) {
      this.#log(`cannot be verified: ${describeError(error)}`);
    }
    return this.#outcome;
  }

  /** Closes record and tools, and tells who runs the sandbox. Never rejects. */
  async close(reason: EndReason, turns: number, stopwatch: Stopwatch): Promise<void> {
    const { sink, tools, onEnd } = this.#parts;
    for (const done of await Promise.allSettled([sink.finish(), tools.close()])) {
      if (done.status === 'fulfilled') continue;
      this.#isWhole = false;
      this.#log(describeError(done.reason));
    }
    const { episode } = sink;
    try {
      onEnd({
        ...{ episode, reason, owner: END_OWNERS[reason], turns, outcome: this.#outcome },
        timing: { episode, ...stopwatch.total() },
        recorded: this.#isWhole,
      });
    } catch (error) {
      this.#log(describeError(error));
    }
  }

  #log(message: string): void {
    this.#parts.log(`${this.#parts.sink.episode}: ${message}`);
  }
}
