import { NUMBER, sayDecimal, sayDigits, sayPairs } from '../numbers.js';
import { group, type SpokenRule } from '../spoken-rule.js';

/** Written unit → one, many. Exact case where case makes the difference. */
const UNITS: Readonly<Record<string, readonly [string, string]>> = {
  in: ['inch', 'inches'],
  '"': ['inch', 'inches'],
  "'": ['foot', 'feet'],
  inch: ['inch', 'inch'],
  ft: ['foot', 'feet'],
  'sq ft': ['square foot', 'square feet'],
  yd: ['yard', 'yards'],
  mi: ['mile', 'miles'],
  mm: ['millimeter', 'millimeters'],
  cm: ['centimeter', 'centimeters'],
  m: ['meter', 'meters'],
  km: ['kilometer', 'kilometers'],
  mg: ['milligram', 'milligrams'],
  g: ['gram', 'grams'],
  kg: ['kilogram', 'kilograms'],
  oz: ['ounce', 'ounces'],
  lb: ['pound', 'pounds'],
  lbs: ['pound', 'pounds'],
  ml: ['milliliter', 'milliliters'],
  mL: ['milliliter', 'milliliters'],
  cl: ['centiliter', 'centiliters'],
  l: ['liter', 'liters'],
  L: ['liter', 'liters'],
  gal: ['gallon', 'gallons'],
  KB: ['kilobyte', 'kilobytes'],
  MB: ['megabyte', 'megabytes'],
  GB: ['gigabyte', 'gigabytes'],
  TB: ['terabyte', 'terabytes'],
  Mbps: ['megabit per second', 'megabits per second'],
  Gbps: ['gigabit per second', 'gigabits per second'],
  Hz: ['hertz', 'hertz'],
  kHz: ['kilohertz', 'kilohertz'],
  MHz: ['megahertz', 'megahertz'],
  GHz: ['gigahertz', 'gigahertz'],
  W: ['watt', 'watts'],
  kW: ['kilowatt', 'kilowatts'],
  Wh: ['watt hour', 'watt hours'],
  V: ['volt', 'volts'],
  mAh: ['milliamp hour', 'milliamp hours'],
  Ah: ['amp hour', 'amp hours'],
  MP: ['megapixel', 'megapixels'],
  dB: ['decibel', 'decibels'],
  fps: ['frame per second', 'frames per second'],
  rpm: ['revolution per minute', 'revolutions per minute'],
  RPM: ['revolution per minute', 'revolutions per minute'],
  mph: ['mile per hour', 'miles per hour'],
  dpi: ['dot per inch', 'dots per inch'],
  DPI: ['dot per inch', 'dots per inch'],
  hr: ['hour', 'hours'],
  hrs: ['hour', 'hours'],
  min: ['minute', 'minutes'],
  mins: ['minute', 'minutes'],
  sec: ['second', 'seconds'],
  secs: ['second', 'seconds'],
  s: ['second', 'seconds'],
  ms: ['millisecond', 'milliseconds'],
};
/** Words or single letters that mean a unit only when they stick to the number ("5m", not "5 m" or "5 in stock"). */
const ATTACHED_ONLY = new Set(['in', 'm', 'g', 'l', 'L', 's', 'V', 'W', "'", '"', 'min', 'mi', 'gal']);
const UNIT_PATTERN = Object.keys(UNITS)
  .sort((a, b) => b.length - a.length)
  .join('|');
/** "55-75" → "fifty five to seventy five". */
function sayRange(from: string, to: string): string {
  return to === '' ? sayDecimal(from) : `${sayDecimal(from)} to ${sayDecimal(to)}`;
}

export const MEASURES: readonly SpokenRule[] = [
  {
    // "1080p" → "ten eighty p", "4K" → "four K"
    name: 'resolution',
    pattern: /(\d{3,4})p\b|(\d{1,2})K\b/y,
    say: (match) => (match[1] === undefined ? `${sayDecimal(group(match, 2))} K` : `${sayPairs(match[1])} p`),
  },
  {
    // "10 x 8", "6x4 ft" → "six by four feet"
    name: 'dimensions',
    pattern: new RegExp(
      String.raw`${NUMBER}\s?x\s?${NUMBER}(?:\s?x\s?${NUMBER})?(?:\s?(${UNIT_PATTERN}))?(?![A-Za-z0-9])`,
      'y',
    ),
    say: (match) => {
      const sides = match.slice(1, 4).filter((part) => part !== undefined);
      const unit = match[4] === undefined ? '' : ` ${UNITS[match[4]]?.[1]}`;
      return `${sides.map(sayDecimal).join(' by ')}${unit}`;
    },
  },
  {
    // 5'10" → "five foot ten"
    name: 'feet and inches',
    pattern: /(\d{1,2})' ?(\d{1,2})"/y,
    say: (match) => `${sayDecimal(group(match, 1))} foot ${sayDecimal(group(match, 2))}`,
  },
  {
    // "10x" → "ten x": of a zoom
    name: 'factor',
    pattern: new RegExp(String.raw`${NUMBER}x\b`, 'iy'),
    say: (match) => `${sayDecimal(group(match, 1))} x`,
  },
  {
    // "70°F", folded to "70 degrees F"
    name: 'temperature',
    pattern: /(-?)(\d+(?:\.\d+)?)\s?degrees\s([FC])\b/y,
    say: (match) =>
      `${match[1] ? 'minus ' : ''}${sayDecimal(group(match, 2))} degrees ${match[3] === 'F' ? 'Fahrenheit' : 'Celsius'}`,
  },
  {
    // "256GB", "1.5 L", "55-75 lbs", "13-inch"; with a hyphen before the unit it describes, in the singular.
    name: 'measure',
    pattern: new RegExp(
      String.raw`${NUMBER}(?:\s?-\s?${NUMBER})?([\s-]?)(${UNIT_PATTERN})(?![A-Za-z])(?:(?!\d)|(?<=[a-z]{2}))`,
      'y',
    ),
    say: (match) => {
      const [from, to, joint, unit] = [group(match, 1), group(match, 2), group(match, 3), group(match, 4)];
      if (joint === ' ' && ATTACHED_ONLY.has(unit)) return null;
      if (joint === '-' && (unit === 'in' || unit === 's')) return null;
      const [one, many] = UNITS[unit] as readonly [string, string];
      return `${sayRange(from, to)} ${joint === '-' || (from === '1' && to === '') ? one : many}`;
    },
  },
  {
    // "3-in-1" → "three in one"
    name: 'all in one',
    pattern: /(\d+)-in-(\d+)\b/iy,
    say: (match) => `${sayDecimal(group(match, 1))} in ${sayDecimal(group(match, 2))}`,
  },
  {
    // "4-piece" → "four piece"
    name: 'number joined to a word',
    pattern: /(\d{1,4})-(?=[A-Za-z]{2,})/y,
    say: (match) =>
      `${group(match, 1).startsWith('0') ? sayDigits(group(match, 1)) : sayDecimal(group(match, 1))} `,
  },
];
