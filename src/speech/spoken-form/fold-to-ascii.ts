/** Signs whose plain form is not just their letter without the accent. */
const FOLDS: ReadonlyMap<string, string> = new Map([
  ['\u2018', "'"],
  ['\u2019', "'"],
  ['\u02bc', "'"],
  ['\u201c', '"'],
  ['\u201d', '"'],
  ['\u201e', '"'],
  ['\u2010', '-'],
  ['\u2011', '-'],
  ['\u2012', '-'],
  ['\u2013', ' - '],
  ['\u2014', ', '],
  ['\u2015', ', '],
  ['\u2026', '... '],
  ['\u2022', ', '],
  ['\u2212', '-'],
  ['\u00d7', ' x '],
  ['\u00f7', ' divided by '],
  ['\u00b0', ' degrees '],
  ['\u00a3', 'GBP '],
  ['\u20ac', 'EUR '],
  ['\u2122', ''],
  ['\u00ae', ''],
  ['\u00a9', ''],
  ['\u00bd', ' 1/2 '],
  ['\u00bc', ' 1/4 '],
  ['\u00be', ' 3/4 '],
  ['\u2033', '"'],
  ['\u2032', "'"],
  ['\u00df', 'ss'],
  ['\u00e6', 'ae'],
  ['\u00c6', 'AE'],
  ['\u0153', 'oe'],
  ['\u0152', 'OE'],
  ['\u00f8', 'o'],
  ['\u00d8', 'O'],
  ['\u0142', 'l'],
  ['\u0141', 'L'],
  ['\u0111', 'd'],
  ['\u0110', 'D'],
  ['\u00f0', 'd'],
  ['\u00d0', 'D'],
  ['\u00fe', 'th'],
  ['\u00de', 'Th'],
  ['\u0131', 'i'],
]);

/** Range dashes between digits stay a hyphen ("3\u20135" reads as a range); elsewhere a dash is a pause. */
const RANGE_DASH = /(?<=\d)\s?[\u2013\u2014]\s?(?=\d)/g;

/**
 * Printable ASCII for engines that know no more: accents go (é → e), typographic signs become plain ones, digits of other
 * scripts become ours, and what has no plain form (emoji, other scripts, control characters) becomes a space.
 */
export function foldToAscii(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  const plain = text.replace(RANGE_DASH, '-').replace(/[^\x20-\x7e]/gu, (sign) => FOLDS.get(sign) ?? sign);
  return plain
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/gu, ' ')
    .replace(/ {2,}/g, ' ');
}
