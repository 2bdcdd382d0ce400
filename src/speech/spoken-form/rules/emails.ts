import { sayWordWithDigits, spellLetters } from '../letters.js';
import { group, type SpokenRule } from '../spoken-rule.js';

const SIGNS: Readonly<Record<string, string>> = {
  '.': 'dot',
  _: 'underscore',
  '-': 'dash',
  '+': 'plus',
  '/': 'slash',
};
const DOMAIN_WORDS = ['com', 'org', 'net', 'edu', 'gov', 'info', 'shop', 'store', 'app', 'dev', 'biz'];

function sayLocalPart(text: string): string {
  return (text.match(/[A-Za-z0-9]+|[^A-Za-z0-9]/g) ?? [])
    .map((run) => SIGNS[run] ?? sayWordWithDigits(run))
    .join(' ');
}

/** "example.co.uk" → "example dot C O dot U K". Short ends of domains are spelled unless people say them as words. */
function sayDomain(domain: string): string {
  return domain
    .split('.')
    .map((label, i) =>
      i > 0 && /^[A-Za-z]{1,3}$/.test(label) && !DOMAIN_WORDS.includes(label.toLowerCase())
        ? spellLetters(label)
        : sayLocalPart(label),
    )
    .join(' dot ');
}

/** "yusuf.rossi7301@example.com" → "yusuf dot rossi seven three zero one at example dot com". */
export const EMAILS: readonly SpokenRule[] = [
  {
    name: 'email',
    pattern:
      /([A-Za-z0-9]{1,64}(?:[._+-]{1,3}[A-Za-z0-9]{1,64}){0,9})@([A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5})\b/y,
    say: (match) => `${sayLocalPart(group(match, 1))} at ${sayDomain(group(match, 2))}`,
  },
  {
    name: 'web address',
    pattern:
      /(?:https?:\/\/)?((?:www\.)?[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,5}\.(?:com|org|net|edu|gov|io|co|uk))((?:\/[A-Za-z0-9._+-]{0,99}){0,9})(?![A-Za-z0-9@])/y,
    say: (match) => {
      const [domain, path] = [
        group(match, 1).replace(/^www\./, 'W W W.'),
        group(match, 2).replace(/\/$/, ''),
      ];
      // A full stop behind the address ends the sentence.
      const end = path.endsWith('.') ? '.' : '';
      const spokenPath = sayLocalPart(path.replace(/\.$/, ''));
      const spokenDomain = domain.startsWith('W W W.')
        ? `W W W dot ${sayDomain(domain.slice(6))}`
        : sayDomain(domain);
      return `${spokenDomain}${spokenPath === '' ? '' : ` ${spokenPath}`}${end}`;
    },
  },
];
