import { sayCode, spellLetters } from '../letters.js';
import { group, type SpokenRule } from '../spoken-rule.js';

/** Said letter by letter. Capitals without a vowel are spelled too, without being listed. */
const SPELLED = new Set(
  (
    'USB LED OLED UHD GPU CPU EU UK USA UPS AI AC UV ID IDs FAQ ETA URL API ATM CEO TPE TPU EVA HDMI AUX ISO IP SUV EST EDT ' +
    'UTC ABS ASAP DIY VIP QA iOS OS PVA'
  ).split(' '),
);

const WHOLE_WORDS: Readonly<Record<string, string>> = {
  'Wi-Fi': 'wifi',
  'wi-fi': 'wifi',
  'Mr.': 'Mister',
  'Mrs.': 'Missus',
  'Ms.': 'Miz',
  'Dr.': 'Doctor',
  'e.g.': 'for example',
  'i.e.': 'that is',
  'etc.': 'et cetera',
  'vs.': 'versus',
  'approx.': 'about',
  'w/o': 'without',
  'w/': 'with ',
  'and/or': 'and or',
  'a.m.': 'a m',
  'p.m.': 'p m',
  'U.S.': 'U S',
  qty: 'quantity',
  Qty: 'quantity',
  'incl.': 'including',
  AA: 'double A',
  AAA: 'triple A',
};
const WHOLE_PATTERN = Object.keys(WHOLE_WORDS)
  .sort((a, b) => b.length - a.length)
  .map((word) => word.replaceAll('.', '[.]') + (/[a-z]$/i.test(word) ? '(?![A-Za-z0-9])' : ''))
  .join('|');

export const WORDS: readonly SpokenRule[] = [
  {
    name: 'abbreviation',
    pattern: new RegExp(WHOLE_PATTERN, 'y'),
    say: (match) => WHOLE_WORDS[match[0]] ?? null,
  },
  {
    // "IPX7", "A4", "i7", "iPhone12", "MP3", "12B", "1Z999AA10123456784"
    name: 'letters with digits',
    pattern: /(?=[A-Za-z]*\d)(?=\d*[A-Za-z])([A-Za-z0-9]+)/y,
    say: (match) => sayCode(group(match, 1)),
  },
  {
    // "USB-C" → "U S B C", "RGB" → "R G B"; words that are only shouted are left alone.
    name: 'acronym',
    pattern: /([A-Z]{2,5}|IDs|iOS)(?:-([A-Z]))?(?:'?(s))?(?!'?[A-Za-z0-9])/y,
    say: (match) => {
      const word = group(match, 1);
      const spelled = SPELLED.has(word) || /^[B-DF-HJ-NP-TV-XZ]+$/.test(word);
      if (!spelled) return null;
      const plural = word.endsWith('s') || match[3] !== undefined;
      const letters = spellLetters(word.replace(/s$/, ''));
      return `${letters}${match[2] === undefined ? '' : ` ${match[2]}`}${plural ? "'s" : ''}`;
    },
  },
];
