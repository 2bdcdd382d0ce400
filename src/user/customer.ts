import type { CustomerBrief } from '../retail/index.js';

/** One line of the simulated customer. */
export interface CustomerLine {
  /** Written form, without any marker. May be empty only when `end` is set. */
  readonly text: string;
  /** Set when the customer hangs up after this line. `stop`: content or resigned; `transfer`: accepts the hand-over. */
  readonly end?: 'stop' | 'transfer' | 'out_of_scope' | undefined;
}

/**
 * The simulated customer of one episode. It sees its brief and what was said, nothing else.
 * Implementations: `scripted` (offline); a model-driven one comes later behind the same contract.
 * Throws `CustomerFailedError` when it cannot go on; the episode then ends as `customer_failed`.
 */
export interface Customer {
  /** e.g. "scripted/1"; stored in every record, runs with different customers are not comparable. */
  readonly name: string;
  open(): Promise<CustomerLine>;
  /** @param agentText what was heard of what the agent said: all of it, unless the customer broke in */
  reply(agentText: string): Promise<CustomerLine>;
  /**
   * Told before the reply to an agent that broke in: of the last line only this was said. Without it the customer goes on
   * as if it had said all.
   */
  cutOff?(saidText: string): void;
}

export interface CustomerFactory {
  readonly name: string;
  /** @param mode how the call reaches the agent; the customer's lines need not depend on it */
  create(brief: CustomerBrief, seed: number, mode?: 'speech' | 'text'): Customer;
}
