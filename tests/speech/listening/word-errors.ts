const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** Words as a listener may write them: case and punctuation do not count, single digits are words. */
function wordsOf(text: string): string[] {
  const plain = text.toLowerCase().replace(/(?<!\d)\d(?!\d)/g, (digit) => NUMBERS[Number(digit)] ?? digit);
  return plain.match(/[a-z0-9']+/g) ?? [];
}

/** Words to insert, leave out or replace (Levenshtein). */
function edits(said: readonly string[], heard: readonly string[]): number {
  let row = [0, ...heard.map((_, i) => i + 1)];
  for (const [i, word] of said.entries()) {
    const next = [i + 1];
    for (const [j, other] of heard.entries())
      next.push(
        Math.min((row[j] ?? 0) + (word === other ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Word error rate over all lines: edits for each word said. 0 is all right; above 1 more was heard than was said. */
export function wordErrorRate(said: readonly string[], heard: readonly string[]): number {
  const total = said.flatMap(wordsOf).length;
  return said.reduce((sum, line, i) => sum + edits(wordsOf(line), wordsOf(heard[i] ?? '')), 0) / total;
}
