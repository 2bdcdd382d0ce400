import type { SpokenRule } from '../spoken-rule.js';

const markup = (name: string, pattern: RegExp, spoken: string): SpokenRule => ({
  name,
  pattern,
  say: () => spoken,
});

/** What is left of signs: said where they carry meaning, else a pause or nothing. */
export const SIGNS: readonly SpokenRule[] = [
  markup('tag', /<\/?[A-Za-z][^<>]{0,200}>/y, ' '),
  markup('stop marker', /###[A-Z]+###/y, ' '),
  markup('arrow', /\s?(?:->|=>)\s?/y, ' to '),
  markup('and', /\s?&\s?/y, ' and '),
  markup('at', /\s?@\s?/y, ' at '),
  markup('plus', /\s?\+\s?/y, ' plus '),
  markup('equals', /\s?=+\s?/y, ' equals '),
  markup('less than', /<\s?(?=[$\d])/y, ' less than '),
  markup('more than', />\s?(?=[$\d])/y, ' more than '),
  markup('about', /~\s?(?=[$\d])/y, ' about '),
  markup('percent', /\s?%/y, ' percent '),
  markup('dollars', /\$/y, ' dollars '),
  markup('number', /#\s?(?=[A-Za-z])/y, ' number '),
  // Between signs that mean numbers the slash is read; between words it is only "or".
  markup('possible plural', /\(s\)/y, ''),
  markup('per', /(?<=\d)\/(?=month|year|day|week|hour|minute|second|item|piece|person|unit)/y, ' per '),
  markup('slash', /\s?\/\s?/y, ' slash '),
  markup('range', /(?<=[\d%]|\d ?[ap]\.?m\.?)\s?-\s?(?=[$\d])/iy, ' to '),
  markup('hyphen between words', /(?<=[A-Za-z0-9])-(?=[A-Za-z0-9$])/y, ' '),
  markup('dash', /\s?-+\s/y, ', '),
  markup('bracket', /\s?[([{]\s?/y, ', '),
  markup('closing bracket at the end of a clause', /[)\]}](?=\s*[.,;:!?]|\s*$)/y, ''),
  markup('closing bracket', /[)\]}]\s?/y, ', '),
  markup('ellipsis within a sentence', /\.{2,}(?=\s*[a-z0-9])/y, ', '),
  markup('ellipsis', /\.{2,}/y, '.'),
  markup('bar', /\s?\|\s?/y, ', '),
  markup('sign without a sound', /[*_^~`"<>\\#-]+/y, ' '),
];
