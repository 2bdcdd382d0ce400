import { sayDigits, sayPairs } from './numbers.js';

/** "usb" → "U S B". */
export function spellLetters(letters: string): string {
  return [...letters.toUpperCase()].join(' ');
}

/** Letters and digits apart, each as it is best said: "rossi7301" → "rossi seven three zero one"; letters keep their case. */
export function sayWordWithDigits(text: string): string {
  return (text.match(/\d+|[A-Za-z]+/g) ?? [])
    .map((run) => (/^\d/.test(run) ? sayDigits(run) : run))
    .join(' ');
}

/** A model name or code: "IPX7" → "I P X seven", "iPhone12" → "iPhone twelve", "A4" → "A four", "1Z999AA" spelled throughout. */
export function sayCode(text: string): string {
  const runs = text.match(/\d+|[A-Za-z]+/g) ?? [];
  const digitRuns = runs.filter((run) => /^\d/.test(run));
  // Many runs or long digits make a serial number, of which every sign counts.
  const serial = runs.length > 3 || digitRuns.some((run) => run.length > 4);
  return runs
    .map((run) => {
      if (/^\d/.test(run)) return serial ? sayDigits(run) : sayPairs(run);
      const isName = !serial && run.length > 1 && /[a-z]{2}|[aeiou]/.test(run);
      return isName ? run : spellLetters(run);
    })
    .join(' ');
}
