import type { CustomerTurn, EpisodeClient, EpisodeEndEvent } from '../../episode-client.js';
import type { Ear } from '../listening/ear.js';
import type { Call } from '../planning/step.js';
import type { Shop } from '../shop.js';

/** Below the sandbox's own limit, so that a conversation in circles ends in good order. */
const MOST_ACTIONS = 60;

/** The connection to the customer and the tools; notes in each action's reasoning what was heard before it. */
export class Line {
  readonly #client: EpisodeClient;
  readonly #ear: Ear;
  readonly #shop: Shop;
  #actions = 0;
  #heard = '';
  #others: readonly string[] = [];
  #note: string | null = null;
  #told: string | null = null;
  #end: EpisodeEndEvent | null = null;

  constructor(client: EpisodeClient, { ear, shop }: { ear: Ear; shop: Shop }) {
    this.#client = client;
    this.#ear = ear;
    this.#shop = shop;
  }

  get end(): EpisodeEndEvent | null {
    return this.#end;
  }

  get over(): boolean {
    return this.#end !== null || this.#actions >= MOST_ACTIONS;
  }

  /** What the customer said last, as it was understood. */
  get heard(): string {
    return this.#heard;
  }

  /** What the customer heard of the last message, where it broke in; null: all of it. */
  get told(): string | null {
    return this.#told;
  }

  /** What else it may have been, the likelier first. */
  get others(): readonly string[] {
    return this.#others;
  }

  async listen(turn: CustomerTurn): Promise<string> {
    const { raw, text, others } = await this.#ear(turn);
    this.#heard = text;
    this.#others = others;
    this.#note =
      raw === null
        ? `read: ${text}`
        : raw === ''
          ? 'heard nothing'
          : `heard: ${raw}
understood: ${text}`;
    return this.#heard;
  }

  /** Says something and hears the answer; null when the call is over. */
  async say(text: string): Promise<string | null> {
    if (this.over) return null;
    const why = this.#why();
    let step = await this.#client.say(text, why);
    // A judge that breaks in has nothing for rules to think about: they say it again, until they are let.
    while (step.kind === 'intervention') step = await this.#client.say(text, why);
    this.#told = step.customer?.brokeIn?.text ?? null;
    if (step.kind === 'customer') return await this.listen(step.customer);
    this.#end = step.end;
    return null;
  }

  async call({ name, arguments: args }: Call): Promise<{ ok: boolean; content: string }> {
    if (this.over) return { ok: false, content: '' };
    const why = this.#why();
    let step = await this.#client.call(name, args, why);
    while (step.kind === 'intervention') step = await this.#client.call(name, args, why);
    if (step.kind === 'end') {
      this.#end = step.end;
      return { ok: false, content: '' };
    }
    if (step.ok) this.#shop.learn(name, step.content);
    return step;
  }

  async hangUp(): Promise<void> {
    if (this.#end === null) this.#end = await this.#client.stop({ reason: 'done' });
  }

  #why(): { reasoning?: string } {
    this.#actions += 1;
    const note = this.#note;
    this.#note = null;
    return note === null ? {} : { reasoning: note.slice(0, 2000) };
  }
}
