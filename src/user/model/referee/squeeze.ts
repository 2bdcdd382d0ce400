const DIGITS: Readonly<Record<string, string>> = {
  ...{ zero: '0', oh: '0', one: '1', two: '2', three: '3', four: '4', five: '5', six: '6', seven: '7' },
  ...{ eight: '8', nine: '9' },
};

/** Digit words become digits where at least two stand together: "two zero one", not "the two lamps". */
function wordsToDigits(text: string): string {
  return text.replace(
    /\b(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)\b(?:[\s,.-]+\b(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)\b)+/g,
    (run) => run.replace(/[a-z]+/g, (word) => DIGITS[word] ?? word),
  );
}

/** Characters said one by one become a word: "w 1 2 3" and "m-i-a" are "w123" and "mia". */
function joinSpelled(text: string): string {
  return text.replace(
    /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:(?:,\s*|[\s.\-–]+)[\p{L}\p{N}](?![\p{L}\p{N}])){2,}/gu,
    (run) => run.replace(/[^\p{L}\p{N}]/gu, ''),
  );
}

/** A text in the form in which claims and facts are compared: lower case, spelled and spoken forms written out. */
export function squeeze(text: string): string {
  const lower = text.toLowerCase().normalize('NFKC').replace(/[’‘]/g, "'");
  return joinSpelled(wordsToDigits(lower))
    .replace(/\s+at\s+(?=[\w-]+\s+dot\s)/g, '@')
    .replace(/\s+dot\s+/g, '.')
    .replace(/\s+underscore\s+/g, '_');
}

/** Letters and digits only: what is left of any way to write a thing. */
export function bare(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}
