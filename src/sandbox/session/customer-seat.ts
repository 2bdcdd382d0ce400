import type { Aside } from '../../protocol/index.js';
import type { Customer, CustomerLine } from '../../user/index.js';
import { asidePhrase } from '../duplex/phrases.js';
import type { SessionParts } from './parts.js';
import type { EffectOf } from './state.js';

/** Where the customer sits: made when its opening is wanted, asked for lines, and for words beside them. */
export class CustomerSeat {
  readonly #parts: Pick<SessionParts, 'createCustomer' | 'duplex'>;
  #customer: Customer | null = null;

  constructor(parts: Pick<SessionParts, 'createCustomer' | 'duplex'>) {
    this.#parts = parts;
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
}
