import { sha256Hex } from '../../../shared/index.js';

/** Words that flite says wrong as they are written, in the letters that make it say them right. */
const RESPELLED: readonly (readonly [RegExp, string])[] = [
  // It takes the letter A before a word for the article: "Brand A is", "USB A cable". A sentence may start with the article.
  [/(?<=[A-Za-z0-9,] )A(?= [A-Za-z])/g, 'ay'],
  [/\ba m\b/g, 'ay m'],
  [/\bpaypal\b/gi, 'pay pal'],
  [/\bwi-fi\b/gi, 'wifi'],
];

/**
 * The text as flite has to see it to say what it means; what is on record stays the spoken form. Where one word becomes several,
 * `joint` stands between them.
 */
export function respellForFlite(text: string, joint = ' '): string {
  return RESPELLED.reduce(
    (changed, [pattern, spelling]) =>
      changed.replace(pattern, (match) => (match.includes(' ') ? spelling : spelling.replaceAll(' ', joint))),
    text,
  );
}

/** Changes whenever the table does: part of the engine's name, and so of the key of every cached clip. */
export const RESPELLING_VERSION = sha256Hex(RESPELLED.join('\n')).slice(0, 6);
