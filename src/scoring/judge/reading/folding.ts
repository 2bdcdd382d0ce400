/** Of a longer message the beginning and the end are read; nobody says more to a customer. */
const READ_CHARACTERS = 6000;
const SEGMENT_CHARACTERS = 1000;

/** Lower case, plain quotes and spaces, no emphasis marks; line ends stay. */
export function fold(text: string): string {
  const part =
    text.length <= 2 * READ_CHARACTERS
      ? text
      : `${text.slice(0, READ_CHARACTERS)}\n${text.slice(-READ_CHARACTERS)}`;
  return (
    part
      .toLowerCase()
      .replace(/[\u2018\u2019\u02bc]/g, "'")
      .replace(/[\u201c\u201d]/g, '"')
      .replace(/[\u2010-\u2015]/g, '-')
      .replace(/[\u00a0\t]/g, ' ')
      .replace(/\*\*|`/g, '')
      // The only address that is no place.
      .replace(/\be-?mail address/g, 'email')
  );
}

/** Sentences and list lines of a folded text. */
export function segmentsOf(folded: string): string[] {
  return folded
    .split(/\n+|(?<=[.!?])\s+/)
    .map((segment) => segment.trim().slice(0, SEGMENT_CHARACTERS))
    .filter((segment) => /[a-z0-9]/.test(segment));
}

const WORD_CHARACTER = /[a-z0-9]/;

/** How often `folded` holds `phrase` (folded too) as whole words. */
export function countPhrase(folded: string, phrase: string): number {
  const wanted = phrase.trim();
  if (wanted === '') return 0;
  const startsInWord = WORD_CHARACTER.test(wanted[0] ?? '');
  const endsInWord = WORD_CHARACTER.test(wanted.at(-1) ?? '');
  const startsInNumber = /^\d/.test(wanted);
  let count = 0;
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) {
    const before = folded[at - 1] ?? ' ';
    const after = folded[at + wanted.length] ?? ' ';
    // "1.5" does not hold "5", nor "#w123" "w12".
    if (startsInWord && WORD_CHARACTER.test(before)) continue;
    if (endsInWord && WORD_CHARACTER.test(after)) continue;
    if (startsInNumber && /[.,]/.test(before) && /\d/.test(folded[at - 2] ?? '')) continue;
    count += 1;
  }
  return count;
}

/** Does `folded` hold `phrase` (folded too) as whole words? */
export function hasPhrase(folded: string, phrase: string): boolean {
  return countPhrase(folded, phrase) > 0;
}
