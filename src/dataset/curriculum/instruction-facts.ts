/**
 * What an instruction pins down: addresses, order and item numbers, amounts, quoted words and names. Two texts with the same
 * facts may differ in everything else.
 */
const PATTERNS: readonly RegExp[] = [
  /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g,
  /#?\b[A-Za-z]*\d[\w.,-]*\d\b|\b\d+\b/g,
  /"[^"]{1,80}"|“[^”]{1,80}”/g,
  // A capital inside a sentence is a name.
  /(?<=[a-z,;:] )[A-Z][A-Za-z'-]+(?: [A-Z][A-Za-z'-]+)*/g,
];

/** Words that are written large without being a name. */
const NO_NAMES = new Set(['I', 'PayPal']);

const plain = (fact: string): string =>
  fact
    .toLowerCase()
    .replace(/^#/, '')
    .replace(/[.,]+$/, '');

export function factsIn(text: string): Set<string> {
  const facts = PATTERNS.flatMap((pattern) => [...text.matchAll(pattern)].map(([fact]) => fact));
  return new Set(facts.filter((fact) => !NO_NAMES.has(fact)).map(plain));
}

const holdsAsWord = (text: string, fact: string): boolean => {
  for (let at = text.indexOf(fact); at >= 0; at = text.indexOf(fact, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + fact.length] ?? ' '}`;
    if (!/[a-z0-9]/.test(around)) return true;
  }
  return false;
};

/** Facts of `before` that `after` lacks. */
export function lostFacts(before: string, after: string): string[] {
  const text = after.toLowerCase();
  return [...factsIn(before)].filter((fact) => !holdsAsWord(text, fact));
}

/** Numbers and addresses of `after` that `before` does not have: made up. Names are not looked at, for sentences begin with capitals. */
export function inventedFacts(before: string, after: string): string[] {
  const text = before.toLowerCase();
  return [...factsIn(after)].filter((fact) => /[\d@]/.test(fact) && !holdsAsWord(text, fact));
}
