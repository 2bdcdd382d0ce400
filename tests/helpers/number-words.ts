const SMALL = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen ' +
  'nineteen'
).split(' ');
const TENS = ',,twenty,thirty,forty,fifty,sixty,seventy,eighty,ninety'.split(',');
const SCALES: Readonly<Record<string, number>> = {
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
};

/** The way back, written apart from the product: "one thousand two hundred thirty four" → 1234. */
export function readCardinal(text: string): number {
  let total = 0;
  let current = 0;
  for (const word of text.split(' ')) {
    if (SMALL.includes(word)) current += SMALL.indexOf(word);
    else if (TENS.includes(word) && word !== '') current += TENS.indexOf(word) * 10;
    else if (word === 'hundred') current *= 100;
    else if (word in SCALES) {
      total += current * (SCALES[word] as number);
      current = 0;
    } else throw new Error(`not a number word: ${word}`);
  }
  return total + current;
}

/** "W, two three" → "23": the digit words of a text, in order, and nothing else. */
export function readDigits(text: string): string {
  return (text.match(/[a-z]+/g) ?? [])
    .map((word) => SMALL.indexOf(word))
    .filter((value) => value >= 0 && value < 10)
    .join('');
}

/** True for any word that says a number. */
export function isNumberWord(word: string): boolean {
  return (
    SMALL.includes(word) ||
    TENS.includes(word) ||
    word in SCALES ||
    /^(hundred|oh|half|quarters?|thirds?|first|second|ninetie|double|triple|quadruple|extra)$/.test(word) ||
    /(th|ths|ieth|ties|first|second|third)$/.test(word)
  );
}
