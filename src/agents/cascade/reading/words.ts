/** Lower case, plain quotes, and every other sign a space: "T-Shirt, XL" → "t shirt xl". */
export function words(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[^a-z0-9']+/g, ' ')
    .trim();
}

/** "one.two! Three" split into what is said in one breath. */
export function sentences(text: string): string[] {
  return text
    .split(/(?<=[.!?:;])\s+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export interface Mention {
  readonly start: number;
  readonly end: number;
}

/** Where whole words occur in a text of `words`, a plural ending allowed. */
export function findWords(text: string, wanted: string): Mention[] {
  const found: Mention[] = [];
  const phrase = words(wanted);
  if (phrase === '') return found;
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    let end = at + phrase.length;
    if (text[end] === 's') end += 1;
    const whole = (at === 0 || text[at - 1] === ' ') && (end === text.length || text[end] === ' ');
    if (whole) found.push({ start: at, end });
  }
  return found;
}
