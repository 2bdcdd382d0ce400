/** As many names as a client can have in doubt at once, and then some. */
const MOST_NAMES = 1_000;

/** The client's names of messages that were taken: who sends one again after a lost connection is not taken twice. */
export class TakenMessages {
  readonly #ids = new Set<string>();
  #last: string | null = null;

  get last(): string | null {
    return this.#last;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    this.#last = id;
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > MOST_NAMES && oldest !== undefined) this.#ids.delete(oldest);
  }
}
