import type { Call } from '../planning/step.js';
import { type Identity, readIdentity } from '../reading/identity.js';
import { sentences } from '../reading/words.js';
import { FIRST_NAMES, LAST_NAMES } from '../recogniser/language/names.js';

/** Values of one kind by how much speaks for each: first guesses more than later ones, and what is heard again more still. */
class Ranking<T> {
  readonly #found = new Map<string, { readonly value: T; weight: number }>();

  /** One hearing's guesses, the likeliest first. */
  add(guesses: readonly T[], share = 1): void {
    const distinct = new Map(guesses.map((value) => [JSON.stringify(value), value]));
    let place = 0;
    for (const [key, value] of distinct) {
      place += 1;
      const known = this.#found.get(key);
      if (known === undefined) this.#found.set(key, { value, weight: share / place });
      else known.weight += share / place;
    }
  }

  get list(): T[] {
    return [...this.#found.values()].toSorted((a, b) => b.weight - a.weight).map(({ value }) => value);
  }
}

/** Look-ups after one answer, and in a call: a sandbox ends an episode after too many that find nobody. */
const MOST_PER_ANSWER = 4;
const MOST_IN_ALL = 8;
/** Of names crossed with each other. */
const MOST_CROSSED = 3;

type Name = NonNullable<Identity['name']>;

/** An address of mail made of a name: "ruth.costa42@example.org". */
const NAMED_ADDRESS = /^([a-z]+)([._-])([a-z]+)(\d*@.+)$/i;
const FIRST = new Set(FIRST_NAMES);
const LAST = new Set(LAST_NAMES);
/** A name inside an address weighs less than one that was given as a name. */
const NAME_IN_ADDRESS = 0.5;

const titled = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1).toLowerCase()}`;

/** The name in an address, if both parts are names. */
function nameInAddress(email: string): Name[] {
  const [, first = '', , last = ''] = NAMED_ADDRESS.exec(email.toLowerCase()) ?? [];
  return FIRST.has(first) && LAST.has(last) ? [{ first: titled(first), last: titled(last) }] : [];
}

const given = <T>(value: T | null): T[] => (value === null ? [] : [value]);

/**
 * Who may be calling. A recogniser has several guesses at a name, and only the shop knows which of them is a customer's: they
 * are asked for one after the other, the likeliest first. Nothing else is known about them.
 */
export class Candidates {
  readonly #emails = new Ranking<string>();
  readonly #names = new Ranking<Name>();
  readonly #firsts = new Ranking<string>();
  readonly #lasts = new Ranking<string>();
  readonly #zips = new Ranking<string>();
  readonly #tried = new Set<string>();

  /** @param heard the best guess at an answer, then the others */
  hear(heard: readonly string[]): void {
    const read = heard.map((text) => readIdentity(sentences(text)));
    const emails = read.flatMap(({ email }) => given(email));
    const named = emails.filter((email) => nameInAddress(email).length > 0);
    // Of guesses of which none holds a name only the best is worth a look-up.
    this.#emails.add(named.length > 0 ? named : emails.slice(0, 1));
    this.#addNames(named.flatMap(nameInAddress), NAME_IN_ADDRESS);
    const names = read.flatMap(({ name }) => given(name));
    // Known names are written large (`toWrittenForm`); "ruth plastic" is only tried where no guess is a name.
    const known = names.filter(({ first }) => /^[A-Z]/.test(first));
    this.#addNames(known.length > 0 ? known : names, 1);
    this.#zips.add(read.flatMap(({ zip }) => given(zip)));
  }

  #addNames(names: readonly Name[], share: number): void {
    this.#names.add(names, share);
    this.#firsts.add(
      names.map(({ first }) => first),
      share,
    );
    this.#lasts.add(
      names.map(({ last }) => last),
      share,
    );
  }

  /** First names and last names that were never heard together: noise hides now the one, now the other. */
  #crossed(): Name[] {
    const [firsts, lasts] = [
      this.#firsts.list.slice(0, MOST_CROSSED),
      this.#lasts.list.slice(0, MOST_CROSSED),
    ];
    return firsts
      .flatMap((first, at) => lasts.map((last, place) => ({ name: { first, last }, rank: at + place })))
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ name }) => name);
  }

  /** The next look-ups after an answer; none that was made before. */
  take(): Call[] {
    const room = Math.min(MOST_PER_ANSWER, MOST_IN_ALL - this.#tried.size);
    const emails = this.#emails.list.map(
      (email): Call => ({ name: 'find_user_id_by_email', arguments: { email } }),
    );
    const [names, zips] = [this.#names.list, this.#zips.list];
    const asked = (name: Name, zip: string): Call => ({
      name: 'find_user_id_by_name_zip',
      arguments: { first_name: name.first, last_name: name.last, zip },
    });
    const pairs = names
      .flatMap((name, at) => zips.map((zip, place) => ({ name, zip, rank: at + 2 * place })))
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ name, zip }) => asked(name, zip));
    const crossed = zips.slice(0, 1).flatMap((zip) => this.#crossed().map((name) => asked(name, zip)));
    // Names have fewer signs than addresses of mail, so they are misheard less often in full.
    const calls: Call[] = [];
    for (const call of [...emails.slice(0, 1), ...pairs, ...emails.slice(1), ...crossed]) {
      if (calls.length >= room) break;
      const key = JSON.stringify(call);
      if (this.#tried.has(key)) continue;
      this.#tried.add(key);
      calls.push(call);
    }
    return calls;
  }
}
