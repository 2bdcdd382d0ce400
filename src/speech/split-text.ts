/** Best places to cut, best first: after a sentence, after a clause, between words. */
const CUTS = [/[.?!]["')\]]*\s+/g, /[,;:]\s+/g, /\s+/g];

/** End of the last match that leaves a first piece of at most maxChars; 0 if there is none. */
function lastCut(text: string, pattern: RegExp, maxChars: number): number {
  let cut = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index + match[0].trimEnd().length > maxChars) break;
    cut = match.index + match[0].length;
  }
  return cut;
}

/**
 * Cuts a long text into pieces of at most maxChars, at sentence ends where it can, else at commas, else between words; a single
 * word that is longer is cut inside. Joined with spaces the pieces are the text again (but for white space).
 */
export function splitText(text: string, maxChars: number): string[] {
  const pieces: string[] = [];
  let rest = text.trim();
  while (rest.length > maxChars) {
    const cut = CUTS.map((pattern) => lastCut(rest, pattern, maxChars)).find((at) => at > 0) ?? maxChars;
    pieces.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trim();
  }
  if (rest !== '') pieces.push(rest);
  return pieces;
}
