/** How many letters must be put in, taken out or changed to turn one word into the other. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, place) => place);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

const MAX_LENGTH = 100;

/** Up to three known words that somebody who wrote `word` may have meant, the nearest first. */
export function nearest(word: string, known: readonly string[]): string[] {
  const wanted = word.toLowerCase().slice(0, MAX_LENGTH);
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  return known
    .map((candidate) => ({ candidate, distance: editDistance(wanted, candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** `; did you mean "a" or "b"?`, or nothing where no known word is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const words = nearest(word, known).map((candidate) => `"${candidate}"`);
  return words.length === 0 ? '' : `; did you mean ${words.join(' or ')}?`;
}
