/** Does `folded` (lower case) hold the phrase as whole words? A leading "#" of an order id may be left out. */
function mentions(folded: string, phrase: string): boolean {
  const wanted = phrase.toLowerCase().trim().replace(/^#/, '');
  if (wanted === '') return false;
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + 1)) {
    const before = folded[at - 1] ?? ' ';
    const after = folded[at + wanted.length] ?? ' ';
    // A plural is the same thing: "the lamps" speaks about "lamp".
    const plural = after === 's' && !/[a-z0-9]/.test(folded[at + wanted.length + 1] ?? ' ');
    if (!/[a-z0-9]/.test(before) && (!/[a-z0-9]/.test(after) || plural)) return true;
  }
  return false;
}

export function mentionsAny(folded: string, phrases: readonly string[]): boolean {
  return phrases.some((phrase) => mentions(folded, phrase));
}

/** Order ids in a text, lower case, without "#". */
export function orderIdsIn(text: string): string[] {
  return [...text.toLowerCase().matchAll(/\bw\d{6,8}\b/g)].map((match) => match[0]);
}
