import { sayOrdinal, sayYear } from '../numbers.js';
import { group, type SpokenRule } from '../spoken-rule.js';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const MONTH_NAMES =
  '(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)';

/** Null when there is no such day. */
function sayDate(month: number, day: string, year: string): string | null {
  const name = MONTHS[month - 1];
  if (name === undefined || Number(day) < 1 || Number(day) > 31) return null;
  return `${name} ${sayOrdinal(String(Number(day)))}${year === '' ? '' : `, ${sayYear(year)}`}`;
}

const monthNumber = (name: string): number =>
  MONTHS.findIndex((month) => month.slice(0, 3).toLowerCase() === name.slice(0, 3).toLowerCase()) + 1;

export const DATES: readonly SpokenRule[] = [
  {
    // "2024-05-15" → "May fifteenth, twenty twenty four"; a time may follow after a T or a space.
    name: 'ISO date',
    pattern: /((?:19|20)\d\d)[-/](\d{1,2})[-/](\d{1,2})(?:T(?=\d)|(?![-/]?\d)\b(?=( \d)?))/y,
    say: (match) => {
      const date = sayDate(Number(match[2]), group(match, 3), group(match, 1));
      const timeFollows = match[0].endsWith('T') || match[4] !== undefined;
      return date !== null && timeFollows ? `${date}, ` : date;
    },
  },
  {
    // "05/15/2024" → "May fifteenth, twenty twenty four" (the American order)
    name: 'date with slashes',
    pattern: /(\d{1,2})([-/])(\d{1,2})\2((?:19|20)\d\d)\b(?!-)/y,
    say: (match) => sayDate(Number(match[1]), group(match, 3), group(match, 4)),
  },
  {
    // "May 15, 2024", "May 15th", "Sept. 3"
    name: 'month and day',
    pattern: new RegExp(
      String.raw`${MONTH_NAMES}\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? ((?:19|20)\d\d))?\b(?![:.,]?\d)`,
      'iy',
    ),
    say: (match) =>
      match[1] === 'may' ? null : sayDate(monthNumber(group(match, 1)), group(match, 2), group(match, 3)),
  },
  {
    // "15 May 2024" → "May fifteenth, twenty twenty four"
    name: 'day and month',
    pattern: new RegExp(
      String.raw`(\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH_NAMES}(?:,? ((?:19|20)\d\d))?\b(?![:.,]?\d)`,
      'iy',
    ),
    say: (match) => sayDate(monthNumber(group(match, 2)), group(match, 1), group(match, 3)),
  },
];
