import { PrivateDataError } from '../errors.js';

/** A text that must not leave this machine: its own name, a folder, a key from the environment. */
export interface PrivateText {
  /** What it is, for the message: the text itself is never shown. */
  readonly what: string;
  readonly text: string;
}

/** Throws on the first thing that must not be published. */
export type PrivacyScan = (text: string, place: string) => void;

const SECRETS: readonly (readonly [what: string, pattern: string])[] = [
  ['a private key', '-----BEGIN [A-Z ]*PRIVATE KEY-----'],
  ['an OpenAI or Anthropic key', '\\bsk-[A-Za-z0-9_-]{20,}'],
  ['a Hugging Face token', '\\bhf_[A-Za-z0-9]{30,}'],
  ['a GitHub token', '\\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})'],
  ['an AWS access key', '\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b'],
  ['a Google API key', '\\bAIza[A-Za-z0-9_-]{35}'],
  ['a Slack token', '\\bxox[abprs]-[A-Za-z0-9-]{10,}'],
  ['an npm token', '\\bnpm_[A-Za-z0-9]{36}'],
  ['a bearer token', '\\b[Aa]uthorization\\W{1,6}[Bb]earer\\s+[A-Za-z0-9._~+/-]{16,}'],
  ['a JSON web token', '\\beyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}'],
  ['a password in an address', '\\b[a-z][a-z0-9+.-]*://[^\\s/:@"]+:[^\\s/:@"]{3,}@'],
];

const SHORTEST_PRIVATE_TEXT = 6;

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Looks for keys by their shape and for texts of this machine by their letters. It finds what it knows; it is no proof
 * that there is nothing else.
 * @param texts shorter ones than six letters are left out: they would be found in ordinary words
 */
export function createPrivacyScan(texts: readonly PrivateText[]): PrivacyScan {
  const own = texts.filter(({ text }) => text.length >= SHORTEST_PRIVATE_TEXT);
  const all = [
    ...SECRETS,
    // A backslash or quote is written with one more backslash in JSON.
    ...own.map(({ what, text }) => [what, literal(JSON.stringify(text).slice(1, -1))] as const),
  ];
  const pattern = new RegExp(all.map(([, source]) => `(${source})`).join('|'), 'g');
  return (text, place) => {
    pattern.lastIndex = 0;
    const match = pattern.exec(text);
    if (match === null) return;
    const found = match.slice(1).findIndex((group) => group !== undefined);
    const what = all[found]?.[0] ?? 'a secret';
    throw new PrivateDataError(
      `${place} holds ${what} (${match[0].length} characters at ${match.index}); nothing more is written. Take it out of the run, or leave the episode out with a filter`,
      { facts: { place, what, at: match.index } },
    );
  };
}
