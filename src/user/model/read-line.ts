import type { CustomerLine } from '../customer.js';

/** A model's reply as a line, or what is wrong with it, worded to follow "because". */
export type ReadLine = { readonly line: CustomerLine } | { readonly fault: string };

const ENDS: Readonly<Record<string, CustomerLine['end'] | null>> = {
  ...{ stay: undefined, done: 'stop', transferred: 'transfer', out_of_scope: 'out_of_scope' },
};
/** Longer is a speech, not a line on the phone. */
const MAX_LINE_CHARACTERS = 1200;

function field(text: string, name: string): string | null {
  const match = new RegExp(
    `^[ \\t*_]*${name}[*_]*[ \\t]*:[*_]*[ \\t]*([\\s\\S]*?)(?=^[ \\t*_]*(?:thought|say|call)[*_]*[ \\t]*:|(?![\\s\\S]))`,
    'im',
  ).exec(text);
  return match === null ? null : (match[1] ?? '').trim();
}

/**
 * Reads the three-line form tolerantly: thoughts between marks are dropped, a reply without any label is the line itself.
 * A thought never becomes part of the line: where that is in doubt, the reply is a fault.
 */
export function readLine(reply: string): ReadLine {
  const text = reply
    .replace(/<think>[\s\S]*?(?:<\/think>|$)/g, '')
    .replace(/^[\s\S]*<\/think>/, '')
    .trim();
  if (text === '') return { fault: 'it was empty' };
  const said = field(text, 'say');
  const thought = field(text, 'thought');
  if (said === null && (thought !== null || /thought/i.test(text)))
    return { fault: 'it had no line that begins with "Say:"' };
  const spoken = (said ?? text.replace(/^[ \t]*call[ \t]*:.*$/im, ''))
    .replace(/^["“]([\s\S]*)["”]$/, '$1')
    .trim();
  const call = (field(text, 'call') ?? 'stay').toLowerCase().replace(/[^a-z_]/g, '');
  if (!(call in ENDS)) return { fault: `"Call: ${call}" is none of stay, done, transferred, out_of_scope` };
  const end = ENDS[call] ?? undefined;
  if (spoken === '' && end === undefined) return { fault: 'nothing stood after "Say:"' };
  if (spoken.length > MAX_LINE_CHARACTERS)
    return { fault: 'it was far too long; say one to three sentences' };
  if (/<\/?think>|^\s*thought\s*:/im.test(spoken)) return { fault: 'a thought stood in what you say' };
  return { line: end === undefined ? { text: spoken } : { text: spoken, end } };
}
