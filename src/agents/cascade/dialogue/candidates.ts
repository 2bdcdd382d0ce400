import type { Call } from '../planning/step.js';
import { type Identity, readIdentity } from '../reading/identity.js';
import { sentences } from '../reading/words.js';

/** Values of one kind by how much speaks for each: first guesses more than later ones, and what is heard again more still. */
class Ranking<T> {
  readonly #found = new Map<string, { readonly value: T; weight: number }>();

  /** One hearing's guesses, the likeliest first. */
  add(guesses: readonly T[]): void {
    const distinct = new Map(guesses.map((value) => [JSON.stringify(value), value]));
    let place = 0;
    for (const [key, value] of distinct) {
      place += 1;
      const known = this.#found.get(key);
      if (known === undefined) this.#found.set(key, { value, weight: 1 / place });
      else known.weight += 1 / place;
    }
  }

  get list(): T[] {
    return [...this.#found.values()].toSorted((a, b) => b.weight - a.weight).map(({ value }) => value);
  }
}

/** Look-ups after one answer, and in a call: a sandbox ends an episode after too many that find nobody. */
const MOST_PER_ANSWER = 4;
const MOST_IN_ALL = 8;

const given = <T>(value: T | null): T[] => (value === null ? [] : [value]);

/**
 * Who may be calling. A recogniser has several guesses at a name, and only the shop knows which of them is a customer's: they
 * are asked for one after the other, the likeliest first. Nothing else is known about them.
 */
export class Candidates {
  readonly #emails = new Ranking<string>();
  readonly #names = new Ranking<NonNullable<Identity['name']>>();
  readonly #zips = new Ranking<string>();
  readonly #tried = new Set<string>();

  /** @param heard the best guess at an answer, then the others */
  hear(heard: readonly string[]): void {
    const read = heard.map((text) => readIdentity(sentences(text)));
    this.#emails.add(read.flatMap(({ email }) => given(email)));
    const names = read.flatMap(({ name }) => given(name));
    // Known names are written large (`toWrittenForm`); "ruth plastic" is only tried where no guess is a name.
    const known = names.filter(({ first }) => /^[A-Z]/.test(first));
    this.#names.add(known.length > 0 ? known : names);
    this.#zips.add(read.flatMap(({ zip }) => given(zip)));
  }

  /** The next look-ups after an answer; none that was made before. */
  take(): Call[] {
    const room = Math.min(MOST_PER_ANSWER, MOST_IN_ALL - this.#tried.size);
    const emails = this.#emails.list.map(
      (email): Call => ({ name: 'find_user_id_by_email', arguments: { email } }),
    );
    const [names, zips] = [this.#names.list, this.#zips.list];
    const pairs = names
      .flatMap((name, at) => zips.map((zip, place) => ({ name, zip, rank: at + 2 * place })))
      .toSorted((a, b) => a.rank - b.rank)
      .map(
        ({ name, zip }): Call => ({
          name: 'find_user_id_by_name_zip',
          arguments: { first_name: name.first, last_name: name.last, zip },
        }),
      );
    // Names have fewer signs than addresses of mail, so they are misheard less often in full.
    const fresh = [...emails.slice(0, 1), ...pairs, ...emails.slice(1)].filter(
      (call) => !this.#tried.has(JSON.stringify(call)),
    );
    const calls = fresh.slice(0, Math.max(0, room));
    for (const call of calls) this.#tried.add(JSON.stringify(call));
    return calls;
  }
}
