import type { Aside } from '../../protocol/index.js';
import type { GrowingLine, SpokenLine } from '../../speech/index.js';
import type { Customer, CustomerLine } from '../../user/index.js';
import { asidePhrase } from '../duplex/phrases.js';
import type { SessionParts } from './parts.js';
import { speakLine } from './speaking.js';
import type { EffectOf } from './state.js';
import type { Stopwatch } from './stopwatch.js';

/** Where the customer sits: made when its opening is wanted, asked for lines, and for words beside them. */
export class CustomerSeat {
  readonly #parts: SessionParts;
  readonly #stopwatch: Stopwatch;
  #customer: Customer | null = null;

  constructor(parts: SessionParts, stopwatch: Stopwatch) {
    this.#parts = parts;
    this.#stopwatch = stopwatch;
  }

  /** Rejects when the customer cannot go on. @param utterance its number, should nobody be asked */
  async line({ agentText, phrase, cutOff }: EffectOf<'ask'>, utterance: number): Promise<CustomerLine> {
    if (phrase !== undefined) return { text: this.phrase(phrase, utterance) };
    this.#customer ??= this.#parts.createCustomer();
    if (cutOff !== undefined) this.#customer.cutOff?.(cutOff);
    return await (agentText === null ? this.#customer.open() : this.#customer.reply(agentText));
  }

  phrase(kind: Aside, utterance: number): string {
    return asidePhrase(kind, this.#parts.duplex?.seed ?? 0, utterance);
  }

  /** In its own voice: nothing in text mode and for silence; `growing` when the voice has only begun. */
  async speak(
    text: string,
    utterance: number,
  ): Promise<{ readonly spoken: SpokenLine | null; readonly growing?: GrowingLine }> {
    const { clock, measure } = this.#parts;
    const startMs = clock.nowMs();
    const said = await speakLine(text, utterance, this.#parts);
    if (said === null) return { spoken: null };
    const firstMs = clock.nowMs() - startMs;
    measure({ type: 'first_audio', ms: firstMs });
    const isSpoken = (spoken: SpokenLine): SpokenLine => {
      // What the voice needs after it has begun is part of the delivery.
      this.#stopwatch.spoke(firstMs, spoken.durationMs);
      measure({ type: 'speech', ms: clock.nowMs() - startMs });
      return spoken;
    };
    if (!('growing' in said)) return { spoken: isSpoken(said) };
    const whole = said.whole.then(isSpoken);
    whole.catch(() => undefined);
    return { spoken: null, growing: { growing: said.growing, whole } };
  }
}
