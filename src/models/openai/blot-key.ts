/** A key as short as this is no secret, and might be any word. */
const SHORT = 8;
/** Of a key that somebody cut at the end of a text; less tells nothing. */
const LEAST_CUT = 4;
const BLOT = '[key]';

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function sharedLength(text: string, from: number, key: string): number {
  let length = 0;
  while (length < key.length && text[from + length] === key[length]) length += 1;
  return length;
}

/** The key as it may stand in a text: plain, inside JSON, inside an address. */
const formsOf = (key: string): string[] => [
  ...new Set([key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)]),
];

function blotForm(text: string, key: string): string {
  const head = key.slice(0, SHORT);
  let blotted = '';
  let done = 0;
  for (let at = text.indexOf(head); at !== -1; at = text.indexOf(head, done)) {
    blotted += text.slice(done, at) + BLOT;
    done = at + sharedLength(text, at, key);
  }
  blotted += text.slice(done);
  const [body = '', dots = ''] = /^(.*?)(…|\.{3})?$/s.exec(blotted)?.slice(1) ?? [];
  for (let length = Math.min(SHORT - 1, body.length); length >= LEAST_CUT; length -= 1)
    if (body.endsWith(key.slice(0, length))) return `${body.slice(0, -length)}${BLOT}${dots}`;
  return blotted;
}

/**
 * Blots a key out of what a server says: whole, or its beginning where the server cut it. A key of fewer than 8 characters is
 * blotted where it stands alone, for inside words it is no key. Blot before cutting a text: a cut may leave a few letters.
 */
export function blotKey(text: string, key: string | undefined): string {
  if (key === undefined || key === '') return text;
  if (key.length >= SHORT) return formsOf(key).reduce(blotForm, text);
  return text.replace(new RegExp(`(?<![\\w-])${escaped(key)}(?![\\w-])`, 'g'), BLOT);
}
