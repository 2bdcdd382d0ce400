/** When a word of the spoken form is heard: samples of the clip, the end is the first one behind it. */
export type WordTime = readonly [word: string, startSample: number, endSample: number];

/** The words of a spoken form, without the marks around them. */
export function spokenWords(spoken: string): readonly string[] {
  return spoken.match(/[\p{L}\p{N}](?:\S*[\p{L}\p{N}])?/gu) ?? [];
}

/** One after the other, none of no length, all inside the clip. */
export function areInOrder(words: readonly WordTime[], samples: number): boolean {
  let from = 0;
  for (const [, start, end] of words) {
    if (!Number.isInteger(start) || !Number.isInteger(end) || start < from || end <= start) return false;
    from = end;
  }
  return from <= samples;
}

/** The same words in a clip of another rate, or further back in a longer one. */
export function moveWords(
  words: readonly WordTime[],
  { ratio = 1, offsetSamples = 0 }: { readonly ratio?: number; readonly offsetSamples?: number },
): readonly WordTime[] {
  const moved = (sample: number): number => Math.round(sample * ratio) + offsetSamples;
  return words.map(([word, start, end]) => [word, moved(start), moved(end)]);
}
