import { UsageError } from '../shared/index.js';

interface Range {
  readonly min: number;
  readonly max: number;
}

function badNumber(flag: string, wanted: string, text: string): UsageError {
  return new UsageError('bad-option', `${flag} must be ${wanted}; got "${text}"`, { facts: { flag, text } });
}

/** A parser for commander: a whole number within the range, else a usage error. */
export function wholeNumber(flag: string, { min, max }: Range): (text: string) => number {
  return (text) => {
    const value = /^-?\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw badNumber(flag, `a whole number from ${min} to ${max}`, text);
  };
}

/** The same for a share: a decimal number from 0 to 1. */
export function share(flag: string): (text: string) => number {
  return (text) => {
    const value = /^\d*\.?\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (value >= 0 && value <= 1) return value;
    throw badNumber(flag, 'a number from 0 to 1', text);
  };
}

/** The same for a decimal number within a range. */
export function decimal(flag: string, { min, max }: Range): (text: string) => number {
  return (text) => {
    const value = /^-?\d*\.?\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw badNumber(flag, `a number from ${min} to ${max}`, text);
  };
}

/** The same for one of a few words. */
export function oneOf<T extends string>(flag: string, words: readonly T[]): (text: string) => T {
  return (text) => {
    const word = words.find((each) => each === text);
    if (word !== undefined) return word;
    throw badNumber(flag, `one of ${words.join(', ')}`, text);
  };
}
