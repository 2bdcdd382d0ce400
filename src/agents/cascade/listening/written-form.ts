import { CITIES, FIRST_NAMES, LAST_NAMES, STATES, STREET_KINDS } from '../recogniser/language/names.js';
import { writeNumbers } from './numbers.js';

/** What begins a new sentence: recognisers hear no full stops. */
const STARTS = [
  "my email|my name is|(?:and )?(?:my |the )?zip code|i'd like|i would like|i want|i need|could you|tell me|i was wondering",
  "also|one more thing|i also have|and while i have you|the order number|i don't|i'm afraid|i'm sorry|sorry|actually|wait|hold on",
  "it is (?:about|the)|it's the one|use my|back to|(?:with|to) my|if (?:that|you|there|not)|and tell me|how much will|how much is the",
  'yes|no|thank you|thanks|there is|the new|it should|it must|i hope|that would|for the \\w+(?: \\w+)?(?: \\w+)? i would|okay|so here|i just|i ordered',
  "i no longer|it was a mistake|i found|it isn't|it doesn't|i simply|i picked|i have|i moved|change|cancel|are you|is it done|has it been|i never|not yet",
].join('|');
const START = new RegExp(
  String.raw`(?<=\w )(?<!\b(?:and|my|you|so|but|that|which|because|in case|the|of|would|something|a|order|can|to|not|in|on) )(?=(?:${STARTS})\b)`,
  'g',
);

const EMAIL =
  /\b((?:[a-z]+ (?:dot|underscore|dash) )*[a-z]+(?: (?:dot|underscore|dash))?(?: \d+)*) at ([a-z]+(?: dot [a-z]+)+)\b/g;
const SIGNS: Readonly<Record<string, string>> = { dot: '.', underscore: '_', dash: '-' };
const STATE_NAMES = Object.keys(STATES)
  .toSorted((a, b) => b.length - a.length)
  .join('|');
const PLACE = new RegExp(
  String.raw`\b(\d+) ((?:[a-z]+ ){1,3}?(?:${STREET_KINDS.join('|')}))(?: (apartment|suite|unit) (\d+))? ([a-z]+(?: [a-z]+){0,2}?) (${STATE_NAMES}) (\d{5})\b`,
  'g',
);
const UNITS: readonly (readonly [RegExp, string])[] = [
  [/\bextra large\b/g, 'xl'],
  [/\bgigabytes?\b/g, 'gb'],
  [/\bterabytes?\b/g, 'tb'],
  [/\bmillimeters?\b/g, 'mm'],
  [/\bmilliliters?\b/g, 'ml'],
  [/\bmilliamp hours?\b/g, 'mah'],
  [/\bwifi\b/g, 'wi fi'],
  [/\bl e d\b/g, 'led'],
  [/\bl c d\b/g, 'lcd'],
  [/\br g b\b/g, 'rgb'],
  [/\bh d\b/g, 'hd'],
  [/\ba c\b/g, 'ac'],
  [/\bu s b\b/g, 'usb'],
  [/\bp v c\b/g, 'pvc'],
  [/\bi p s\b/g, 'ips'],
  [/\b(\d+) ([pk])\b/g, '$1$2'],
];
const FIRST = new Set(FIRST_NAMES);
const LAST = new Set(LAST_NAMES);
const CITY = new Set(CITIES);
/** Letters by the words that spell them on the telephone. */
const NATO: Readonly<Record<string, string>> = Object.fromEntries(
  'alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey xray yankee zulu'
    .split(' ')
    .map((word) => [word, word.charAt(0)]),
);

const titled = (text: string): string => text.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

/** "kilo india mike" → "kim"; single code words are left alone, since Oscar and Mike are people. */
function writeSpelling(text: string): string {
  const code = Object.keys(NATO).join('|');
  return text
    .replace(new RegExp(String.raw`\b(?:(?:${code}) ){2,}(?:${code})\b`, 'g'), (run) =>
      run
        .split(' ')
        .map((word) => NATO[word] ?? '')
        .join(''),
    )
    .replace(/\b(?:[a-z] ){2,}[a-z]\b/g, (run) => run.replaceAll(' ', ''));
}

function writeNames(text: string): string {
  const words = text.split(' ');
  return words
    .map((word, place) => {
      const isFirst = FIRST.has(word) && LAST.has((words[place + 1] ?? '').replace('.', ''));
      const isLast = LAST.has(word.replace('.', '')) && FIRST.has(words[place - 1] ?? '');
      return isFirst || isLast ? titled(word) : word;
    })
    .join(' ');
}

/**
 * Some recognisers write already, each in its way: "Jasmine.Abbott4384@example.org", "W-714-0697", "2826-3", "1.5". All becomes words
 * and figures, as others give them.
 */
function unwrite(heard: string): string {
  return heard
    .toLowerCase()
    .replace(/(?<=[a-z0-9])@(?=[a-z0-9])/g, ' at ')
    .replace(/(?<=[a-z]\d*)\.(?=[a-z])/g, ' dot ')
    .replace(/(?<=\d)-(?=\d)/g, '')
    .replace(/\b\d\.\d(?:\.\d)+\b/g, (run) => run.replaceAll('.', ''))
    .replace(/(?<=\d)\.(?=\d)/g, ' point ')
    .replace(/\bw[ .-]+(?=\d)/g, 'w ')
    .replace(/(?<=[a-z]{2})(?=\d)/g, ' ')
    .replace(/\b1(?= (?:with|more)\b)/g, 'one')
    .replace(/[^a-z0-9' ]+/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
}

/** Words as a recogniser gives them → text as somebody would have typed it: numbers, ids, addresses, sentences. */
export function toWrittenForm(heard: string): string {
  let text = writeNumbers(unwrite(heard));
  for (const [unit, short] of UNITS) text = text.replace(unit, short);
  text = writeSpelling(text)
    .replace(/\b(?:double you|w) ?(\d{5,9})\b/g, (_, digits: string) => `#W${digits}`)
    .replace(PLACE, (...match: (string | undefined)[]) => {
      const [, house, street = '', unit, number, city = '', state = '', zip] = match;
      if (!CITY.has(city) && city.split(' ').length > 2) return match[0] ?? '';
      const second = unit === undefined ? '' : `${titled(unit)} ${number ?? ''}, `;
      return `${house ?? ''} ${titled(street)}, ${second}${titled(city)}, ${STATES[state] ?? ''} ${zip ?? ''}`;
    });
  text = text.replace(START, '. ');
  text = text.replace(EMAIL, (_, local: string, domain: string) => {
    const told = local.replace(/^.*\b(?:is|email|it's) /, '');
    const write = (part: string): string =>
      part
        .split(' ')
        .map((word) => SIGNS[word] ?? word)
        .join('');
    return `${write(told)}@${write(domain)}`;
  });
  return writeNames(text)
    .replace(/ \. /g, '. ')
    .replace(/\. +\./g, '.');
}
