import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from '../../src/cli/nearest.js';

describe('nearest', () => {
  it('gives the words a person may have meant, the nearest first', () => {
    expect(nearest('eval-12', ['eval-112', 'eval-012', 'eval-999', 'train-7-0001'])).toEqual([
      'eval-112',
      'eval-012',
    ]);
    expect(nearest('FORBIDEN', ['forbidden', 'fallback'])).toEqual(['forbidden']);
  });

  it('gives none where nothing is near, and copes with empty and endless words', () => {
    expect(nearest('xyz', ['forbidden'])).toEqual([]);
    expect(nearest('', [])).toEqual([]);
    expect(nearest('a'.repeat(100_000), ['forbidden'])).toEqual([]);
  });
});

describe('didYouMean', () => {
  it('is the end of a sentence, or nothing', () => {
    expect(didYouMean('lisst', ['list', 'show'])).toBe('; did you mean "list"?');
    expect(didYouMean('zzzzzz', ['list'])).toBe('');
  });
});
