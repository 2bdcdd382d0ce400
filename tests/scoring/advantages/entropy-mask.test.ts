import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entropyMask, tokenEntropy } from '../../../src/scoring/advantages/entropy-mask.js';
import { InvalidBatchError } from '../../../src/scoring/errors.js';

describe('the entropy of a token', () => {
  it('is that of the example by hand', () => {
    const whole = tokenEntropy([0.5, 0.25, 0.25].map(Math.log));
    expect(whole.nats).toBeCloseTo(1.0397207708, 9);
    expect(whole.uncovered).toBe(0);
    const top = tokenEntropy([0.5, 0.25].map(Math.log));
    expect(top.nats).toBeCloseTo(1.0397207708, 9);
    expect(top.uncovered).toBeCloseTo(0.25, 12);
  });

  it('is log n where n alternatives are equally likely, and 0 where there is one', () => {
    expect(tokenEntropy(Array.from({ length: 8 }, () => Math.log(1 / 8))).nats).toBeCloseTo(Math.log(8), 12);
    expect(tokenEntropy([0]).nats).toBe(0);
    expect(tokenEntropy([0, Number.NEGATIVE_INFINITY]).nats).toBe(0);
  });

  it('from the top few is never over the whole, and grows with every further one', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: 2, maxLength: 30 }),
        (weights) => {
          const sum = weights.reduce((total, weight) => total + weight, 0);
          const logs = weights.map((weight) => Math.log(weight / sum)).sort((a, b) => b - a);
          let before = 0;
          for (let given = 1; given <= logs.length; given += 1) {
            const { nats } = tokenEntropy(logs.slice(0, given));
            expect(nats).toBeGreaterThanOrEqual(before - 1e-9);
            before = nats;
          }
          const whole = logs.reduce((total, log) => total - Math.exp(log) * log, 0);
          expect(before).toBeCloseTo(whole, 9);
        },
      ),
    );
  });

  it.each([[[]], [[Number.NaN]], [[0.5]], [[Math.log(0.9), Math.log(0.9)]]])('is refused for %j', (logs) => {
    expect(() => tokenEntropy(logs)).toThrow(InvalidBatchError);
  });
});

describe('the mask of the most uncertain tokens', () => {
  it('keeps one in five of the agent tokens, whatever the others hold', () => {
    const entropies = Float64Array.from([9, 0.1, 0.5, Number.NaN, 2, 0.3]);
    expect([...entropyMask(entropies, Uint8Array.from([0, 1, 1, 0, 1, 1]))]).toEqual([0, 0, 0, 0, 1, 0]);
    expect([...entropyMask(entropies, Uint8Array.from([0, 1, 1, 0, 1, 1]), 0.5)]).toEqual([0, 0, 1, 0, 1, 0]);
  });

  it('keeps exactly the share, the earlier among equals', () => {
    expect([...entropyMask(new Float64Array(15), new Uint8Array(15).fill(1))]).toEqual([
      ...[1, 1, 1],
      ...new Array<number>(12).fill(0),
    ]);
    expect(entropyMask(new Float64Array(0), new Uint8Array(0))).toHaveLength(0);
  });

  it('never lets a kept token be surer than one that is left out', () => {
    const batches = fc.array(
      fc.record({ entropy: fc.double({ min: 0, max: 12, noNaN: true }), own: fc.boolean() }),
      { maxLength: 200 },
    );
    fc.assert(
      fc.property(batches, fc.double({ min: 0.01, max: 1, noNaN: true }), (tokens, share) => {
        const mask = Uint8Array.from(tokens, (token) => (token.own ? 1 : 0));
        const kept = entropyMask(
          Float64Array.from(tokens, (token) => token.entropy),
          mask,
          share,
        );
        const own = tokens
          .map((token, index) => ({ ...token, kept: kept[index] }))
          .filter((token) => token.own);
        expect(kept.reduce((sum, one) => sum + one, 0)).toBe(
          Math.max(0, Math.ceil(share * own.length - 1e-9)),
        );
        const lowest = Math.min(...own.filter((token) => token.kept === 1).map((token) => token.entropy));
        for (const token of own) if (token.kept === 0) expect(token.entropy).toBeLessThanOrEqual(lowest);
      }),
    );
  });

  it('refuses lengths that differ, an unknown entropy of an agent token and a share that is none', () => {
    const one = Uint8Array.from([1]);
    expect(() => entropyMask(new Float64Array(2), one)).toThrow(/as long as mask/);
    expect(() => entropyMask(Float64Array.from([Number.NaN]), one)).toThrow(/entropies\[0\]/);
    for (const share of [0, -1, 1.1, Number.NaN])
      expect(() => entropyMask(new Float64Array(1), one, share)).toThrow(/share/);
  });
});
