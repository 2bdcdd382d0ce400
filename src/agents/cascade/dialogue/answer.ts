import { words } from '../reading/words.js';

export type Verdict = 'yes' | 'no' | 'unclear';

const NO = /^(?:oh )?(?:no|nope|not|don't|stop|wait)\b|\bdid not ask for\b|\bplease don't\b/;
const YES =
  /\b(?:yes|yeah|yep|sure|correct|confirm|go ahead|please do|that is right|exactly right|okay|ok)\b/;

/** Is a reply to "do you confirm" a yes? */
export function readVerdict(text: string): Verdict {
  const plain = words(text);
  if (NO.test(plain)) return 'no';
  return YES.test(plain) ? 'yes' : 'unclear';
}

export function insists(text: string): boolean {
  return /\bare you (?:quite )?sure\b|\breally no way\b|\bnothing you can do\b|\bplease try\b/.test(
    words(text),
  );
}

export function asksWhetherDone(text: string): boolean {
  return /\bis it done\b|\bhas (?:it|that) been done\b|\bwhether it has been done\b/.test(words(text));
}
