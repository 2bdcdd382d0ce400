/**
 * Reads a Python dictionary or list as `repr` and people write it: quotes of both kinds, True, False and None, whole and
 * decimal numbers, trailing commas. No names, no calls, no tuples or sets, no prefixes, no keys that are not strings, no
 * key twice, no number that JavaScript cannot hold: with those it is not sure what was meant.
 */
export function readPythonLiteral(text: string): unknown {
  const reader = new Reader(text);
  try {
    const value = reader.value(0);
    return reader.atEnd() ? value : undefined;
  } catch (error) {
    if (error instanceof NotALiteral) return undefined;
    throw error;
  }
}

class NotALiteral extends Error {}

const MAX_DEPTH = 32;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y;
const WORD = /(?:True|False|None)\b/y;
const SPACE = /\s*/y;
const WORDS: Readonly<Record<string, boolean | null>> = { True: true, False: false, None: null };
const ESCAPES: Readonly<Record<string, string>> = {
  ...{ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '\\': '\\', "'": "'", '"': '"', '/': '/' },
};

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  atEnd(): boolean {
    this.#match(SPACE);
    return this.#at === this.#text.length;
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new NotALiteral();
    this.#match(SPACE);
    const next = this.#text[this.#at];
    if (next === '{') return this.#dictionary(depth);
    if (next === '[') return this.#list(depth);
    if (next === '"' || next === "'") return this.#string();
    const word = this.#match(WORD);
    if (word !== null) return WORDS[word];
    const digits = this.#match(NUMBER);
    const number = Number(digits);
    if (digits === null || !Number.isFinite(number)) throw new NotALiteral();
    if (Number.isInteger(number) && !Number.isSafeInteger(number)) throw new NotALiteral();
    return number;
  }

  #dictionary(depth: number): Record<string, unknown> {
    const entries = new Map<string, unknown>();
    this.#items('}', () => {
      const key = this.value(depth + 1);
      if (typeof key !== 'string' || entries.has(key) || !this.#take(':')) throw new NotALiteral();
      entries.set(key, this.value(depth + 1));
    });
    // Own properties whatever they are called.
    return Object.fromEntries(entries);
  }

  #list(depth: number): unknown[] {
    const items: unknown[] = [];
    this.#items(']', () => items.push(this.value(depth + 1)));
    return items;
  }

  /** Items between the bracket at hand and its closing one, with commas between them and perhaps behind them. */
  #items(close: string, readItem: () => void): void {
    this.#at += 1;
    while (!this.#take(close)) {
      readItem();
      if (this.#take(',')) continue;
      if (this.#take(close)) return;
      throw new NotALiteral();
    }
  }

  #string(): string {
    const quote = this.#text[this.#at];
    this.#at += 1;
    let read = '';
    for (;;) {
      const letter = this.#text[this.#at];
      this.#at += 1;
      if (letter === quote) return read;
      if (letter === undefined || letter === '\n') throw new NotALiteral();
      read += letter === '\\' ? this.#escape() : letter;
    }
  }

  #escape(): string {
    const letter = this.#text[this.#at] ?? '';
    this.#at += 1;
    const plain = ESCAPES[letter];
    if (plain !== undefined) return plain;
    const width = letter === 'x' ? 2 : letter === 'u' ? 4 : 0;
    const digits = this.#text.slice(this.#at, this.#at + width);
    if (width === 0 || !/^[0-9a-fA-F]+$/.test(digits) || digits.length !== width) throw new NotALiteral();
    this.#at += width;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #take(letter: string): boolean {
    this.#match(SPACE);
    if (this.#text[this.#at] !== letter) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return null;
    this.#at = pattern.lastIndex;
    return found[0];
  }
}
