import { describe, expect, it } from 'vitest';
import { oneOf, share, wholeNumber } from '../../src/cli/number-option.js';
import { UsageError } from '../../src/shared/index.js';

describe('numbers on the command line', () => {
  it('are whole and within the range', () => {
    const parse = wholeNumber('--trials', { min: 1, max: 1000 });
    expect(parse('4')).toBe(4);
    for (const text of ['0', '-1', '1001', '2.5', 'four', '', '1e3', 'NaN', '0x4'])
      expect(() => parse(text), text).toThrow(UsageError);
    expect(() => parse('0')).toThrow('--trials must be a whole number from 1 to 1000; got "0"');
  });

  it('are shares from 0 to 1', () => {
    const parse = share('--faults');
    expect(['0', '1', '0.5', '.25'].map(parse)).toEqual([0, 1, 0.5, 0.25]);
    for (const text of ['-0.1', '1.5', 'half', '', '50%'])
      expect(() => parse(text), text).toThrow(UsageError);
  });

  it('and words are some of a few', () => {
    const parse = oneOf('--mode', ['speech', 'text', 'both']);
    expect(parse('both')).toBe('both');
    expect(() => parse('voice')).toThrow('--mode must be one of speech, text, both; got "voice"');
  });
});
