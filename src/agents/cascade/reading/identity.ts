/** Who says to be calling, as far as it was said. */
export interface Identity {
  readonly email: string | null;
  readonly name: { readonly first: string; readonly last: string } | null;
  readonly zip: string | null;
}

const EMAIL = /[a-z0-9]+(?:[._+-][a-z0-9]+)*@[a-z0-9-]+(?:\.[a-z0-9-]+)+/i;
const NAME = /\b(?:my name is|it's|this is|i am|i'm)\s+([A-Za-z'-]{2,})\s+([A-Za-z'-]{2,})\b/;
const BARE_NAME = /^([A-Z][A-Za-z'-]+) ([A-Z][A-Za-z'-]+)\.?$/;
const NO_NAME = /^(?:sorry|afraid|not|so|really|the|my|very|quite|just|about|is|it)$/i;
const ZIP = /(?<!\d)(\d{5})(?!\d)/;

function nameIn(sentence: string): Identity['name'] {
  const found = NAME.exec(sentence) ?? NAME.exec(sentence.toLowerCase()) ?? BARE_NAME.exec(sentence);
  const [, first = '', last = ''] = found ?? [];
  return first === '' || NO_NAME.test(first) || NO_NAME.test(last) ? null : { first, last };
}

/** Reads a turn's sentences. A zip counts only where one was said to be, or where it stands alone: addresses have one too. */
export function readIdentity(said: readonly string[]): Identity {
  const email = said.map((line) => EMAIL.exec(line)?.[0] ?? null).find((found) => found !== null) ?? null;
  const name = said.map(nameIn).find((found) => found !== null) ?? null;
  const zip =
    said
      .filter((line) => /\b(?:zip|code)\b/i.test(line) || /^\W*\d{5}\W*$/.test(line))
      .map((line) => ZIP.exec(line)?.[1] ?? null)
      .find((found) => found !== null) ?? null;
  return { email, name, zip };
}

/** A sentence that only says who is calling. */
export function isAboutIdentity(sentence: string): boolean {
  return (
    EMAIL.test(sentence) ||
    /\b(?:my|the) e-?mail\b(?! address)|\bwhich email\b|\bzip code\b|\bmy name is\b/i.test(sentence) ||
    BARE_NAME.test(sentence)
  );
}
