import { sayCode } from '../letters.js';
import { sayCardinal, sayDigits, sayOrdinal, sayPairs } from '../numbers.js';
import { group, type SpokenRule } from '../spoken-rule.js';
import { STATES, WORD_LIKE_STATE_CODES } from './states.js';

const STREETS: Readonly<Record<string, string>> = {
  St: 'Street',
  Ave: 'Avenue',
  Rd: 'Road',
  Ln: 'Lane',
  Dr: 'Drive',
  Blvd: 'Boulevard',
  Ct: 'Court',
  Pl: 'Place',
  Cir: 'Circle',
  Pkwy: 'Parkway',
  Hwy: 'Highway',
  Ter: 'Terrace',
  Sq: 'Square',
};
const STREET_WORDS = [
  ...Object.keys(STREETS),
  ...Object.values(STREETS),
  'Way',
  'Trail',
  'Loop',
  'Alley',
  'Row',
].join('|');
const DIRECTIONS: Readonly<Record<string, string>> = { N: 'North', S: 'South', E: 'East', W: 'West' };
const UNITS: Readonly<Record<string, string>> = {
  apt: 'apartment',
  ste: 'suite',
  rm: 'room',
  fl: 'floor',
  bldg: 'building',
};

/** "641" → "six forty one", "12B" → "twelve B". */
const sayUnitNumber = (text: string): string => (/^\d+$/.test(text) ? sayPairs(text) : sayCode(text));

export const ADDRESSES: readonly SpokenRule[] = [
  {
    // "986 Sunset Drive" → "nine eighty six Sunset Drive", "12 N Elm St." → "twelve North Elm Street"
    name: 'house number and street',
    pattern: new RegExp(
      String.raw`(\d{1,5}) ((?:[NSEW]\.? )?)((?:[A-Z][a-z']+ |\d{1,3}(?:st|nd|rd|th) ){1,3})(${STREET_WORDS})\b(\.(?=[ ,]+(?:[a-z#]|Apt|Suite|Unit|Ste)))?`,
      'y',
    ),
    say: (match) => {
      const name = group(match, 3).replace(/(\d+)[a-z]+/, (_, digits: string) => sayOrdinal(digits));
      const direction = DIRECTIONS[group(match, 2).charAt(0)];
      const street = STREETS[group(match, 4)] ?? group(match, 4);
      return `${sayPairs(group(match, 1))} ${direction === undefined ? '' : `${direction} `}${name}${street}`;
    },
  },
  {
    // "Suite 641" → "Suite six forty one", "Apt #12B" → "apartment twelve B"
    name: 'suite',
    pattern:
      /(suite|apartment|apt|ste|unit|room|rm|floor|fl|bldg|building)\.? ?(?:# ?|no\. ?)?(\d+[A-Za-z]?|[A-Z]\d+)\b(?!\.\d|[-,]\d)/iy,
    say: (match) => {
      const word = group(match, 1);
      return `${UNITS[word.toLowerCase()] ?? word} ${sayUnitNumber(group(match, 2))}`;
    },
  },
  {
    name: 'post box',
    pattern: /P\.?\s?O\.? Box (\d+)\b/iy,
    say: (match) => `P O Box ${sayDigits(group(match, 1))}`,
  },
  {
    // "CO 80279" → "Colorado, eight zero two seven nine"
    name: 'state and zip code',
    pattern: /([A-Z]{2}),? (\d{5})(?:-(\d{4}))?\b/y,
    say: (match) => {
      const state = STATES[group(match, 1)];
      const extension = match[3] === undefined ? '' : `, ${sayDigits(match[3])}`;
      return state === undefined ? null : `${state}, ${sayDigits(group(match, 2))}${extension}`;
    },
  },
  {
    // "Denver, CO" → "Denver, Colorado"
    name: 'state',
    pattern: /(?<=[A-Za-z], ?)([A-Z]{2})(?![A-Za-z0-9'-])/y,
    say: (match) => (WORD_LIKE_STATE_CODES.has(group(match, 1)) ? null : (STATES[group(match, 1)] ?? null)),
  },
  {
    name: 'zip code with extension',
    pattern: /(\d{5})-(\d{4})\b(?!-)/y,
    say: (match) => `${sayDigits(group(match, 1))}, ${sayDigits(group(match, 2))}`,
  },
  {
    // Five digits without a comma are a zip code far more often than an amount.
    name: 'zip code',
    pattern: /(\d{5})\b(?![.,:]\d)/y,
    say: (match) => sayDigits(group(match, 1)),
  },
  {
    // "zip is 2134": a lost leading zero does not make it an amount.
    name: 'short zip code',
    pattern: /(zip(?: code)?(?: is)?:? )(\d{3,4})\b/iy,
    say: (match) => `${group(match, 1)}${sayDigits(group(match, 2))}`,
  },
  {
    name: 'floor',
    pattern: /(\d+)(?:st|nd|rd|th)? fl\b\.?/y,
    say: (match) => `${sayCardinal(group(match, 1))} floor`,
  },
];
