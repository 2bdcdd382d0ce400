import { sayCardinal } from '../numbers.js';
import { group, type SpokenRule } from '../spoken-rule.js';

const half = (marker: string): string => (/^a/i.test(marker) ? 'a m' : 'p m');

/** 24-hour times are said as the twelve-hour clock says them: "15:05" → "three oh five p m". Null when there is no such time. */
function sayTime(match: RegExpExecArray): string | null {
  const [hour, minute] = [Number(match[1]), group(match, 2)];
  if (hour > 24 || Number(minute) > 59) return null;
  const marker = group(match, 4);
  const known = marker !== '' || hour === 0 || hour > 12;
  const shownHour = hour > 12 ? hour - 12 : hour === 0 ? 12 : hour;
  const spokenHour = sayCardinal(String(shownHour));
  const minutes =
    minute === '00'
      ? known
        ? ''
        : " o'clock"
      : minute.startsWith('0')
        ? ` oh ${sayCardinal(minute.slice(1))}`
        : ` ${sayCardinal(minute)}`;
  const suffix =
    marker !== '' ? ` ${half(marker)}` : known ? (hour >= 12 && hour < 24 ? ' p m' : ' a m') : '';
  const second = group(match, 3).replace(/^0/, '');
  const seconds =
    second === '' || second === '0'
      ? ''
      : ` and ${sayCardinal(second)} ${second === '1' ? 'second' : 'seconds'}`;
  return `${spokenHour}${minutes}${suffix}${seconds}`;
}

export const TIMES: readonly SpokenRule[] = [
  { name: 'around the clock', pattern: /24\/7\b/y, say: () => 'twenty four seven' },
  {
    // "3:30 PM" → "three thirty p m", "9:00" → "nine o'clock"
    name: 'time',
    pattern: /(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?:\s?([aApP])\.?[mM]\b(?:\.(?=\s+[a-z]))?)?(?![\d:])/y,
    say: sayTime,
  },
  {
    // "3pm" → "three p m"
    name: 'full hour',
    pattern: /(1[0-2]|0?[1-9])\s?([aApP])\.?[mM]\b(?:\.(?=\s+[a-z]))?/y,
    say: (match) => `${sayCardinal(String(Number(match[1])))} ${half(group(match, 2))}`,
  },
];
