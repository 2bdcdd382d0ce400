import type { FactSlot, ScenarioRequest } from '../../../retail/index.js';
import { mentionsAny, orderIdsIn } from '../mentions.js';

export type RequestStatus = 'waiting' | 'open' | 'done' | 'refused' | 'answered';

/** One request of the customer's and how far it has come. The change of mind swaps what it knows and checks. */
export class RequestState {
  readonly request: ScenarioRequest;
  status: RequestStatus;
  confirmed = false;
  insisted = false;
  #changed = false;
  readonly #told = new Set<string>();
  readonly #reportedOrders = new Set<string>();
  #partialReports = 0;

  constructor(request: ScenarioRequest) {
    this.request = request;
    this.status = request.raised === 'opening' ? 'open' : 'waiting';
  }

  get settled(): boolean {
    return this.status === 'done' || this.status === 'refused' || this.status === 'answered';
  }

  /** It wants to be told something; an "ask" that wants a deed or a person is settled by those. */
  get isQuestion(): boolean {
    return this.request.goal === 'ask' && this.request.expected === 'answered';
  }

  get #current(): Pick<ScenarioRequest, 'facts' | 'about' | 'mismatches'> {
    const { change } = this.request;
    return this.#changed && change !== undefined ? change : this.request;
  }

  /** The change of mind, the first time it is due; then the customer holds on to the new wish. */
  takeChange(): string | null {
    if (this.#changed || this.request.change === undefined) return null;
    this.#changed = true;
    this.confirmed = false;
    this.#told.clear();
    return this.request.change.say;
  }

  isAbout(folded: string): boolean {
    return mentionsAny(folded, this.#current.about) || mentionsAny(folded, this.request.about);
  }

  /** Order ids the customer knows to belong to this request. */
  get orderIds(): ReadonlySet<string> {
    const { about, facts } = this.#current;
    return new Set(orderIdsIn([this.request.say, ...about, ...facts.map((fact) => fact.say)].join(' ')));
  }

  /** What the customer objects to in a message that asks for its yes; null when all is well. */
  objection(folded: string): string | null {
    const mismatch = this.#current.mismatches.find(
      ({ phrase, unless }) => mentionsAny(folded, [phrase]) && !mentionsAny(folded, unless),
    );
    return mismatch?.say ?? null;
  }

  fact(slot: FactSlot): { readonly say: string; readonly fresh: boolean } | null {
    const say = this.#current.facts
      .filter((fact) => fact.slot === slot)
      .map((fact) => fact.say)
      .join(' ');
    return say === '' ? null : { say, fresh: !this.#told.has(say) };
  }

  markTold(say: string): void {
    this.#told.add(say);
  }

  /** A report that this was done. A request about several orders is done when each was named, or all at once. */
  takeReport(sentence: string): void {
    const wanted = new Set(orderIdsIn(this.#current.about.join(' ')));
    for (const id of orderIdsIn(sentence)) this.#reportedOrders.add(id);
    this.#partialReports += 1;
    const some = [...wanted].some((id) => this.#reportedOrders.has(id));
    const all = [...wanted].every((id) => this.#reportedOrders.has(id));
    const sweeping = /\b(?:both|all|everything|each)\b/.test(sentence);
    if (wanted.size < 2 || !some || all || sweeping || this.#partialReports > 3) this.status = 'done';
  }
}
