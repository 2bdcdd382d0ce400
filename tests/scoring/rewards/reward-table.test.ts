import { describe, expect, it } from 'vitest';
import { RewardFileError } from '../../../src/scoring/errors.js';
import {
  parseRewardTable,
  REWARD_TABLES,
  rewardTableHash,
  turnReward,
} from '../../../src/scoring/rewards/reward-table.js';

const { v5, v6 } = REWARD_TABLES;

describe('reward tables', () => {
  it('have the published values (arXiv 2604.02869, sections 4.1 and 4.2)', () => {
    expect(v5.tiers).toEqual({
      gold: 1,
      soft: 1,
      read: 0.3,
      state: 0.1,
      error: -0.1,
      duplicate: -0.2,
      message: 0,
    });
    expect(v6.tiers).toEqual({ ...v5.tiers, read: 0, state: -0.1 });
  });

  it('a near miss is worth 0.5 + 0.5 * share, and never as much as an exact call', () => {
    expect(turnReward(v5, { tier: 'soft', share: 1 / 4 })).toBe(0.625);
    expect(turnReward(v5, { tier: 'soft', share: 1 })).toBe(0.99);
    expect(turnReward(v5, { tier: 'gold', share: 1 })).toBe(1);
  });

  it('survive a file', () => {
    expect(parseRewardTable(JSON.stringify(v5), 'f')).toEqual(v5);
  });

  it('are the same by their numbers, not by their name', () => {
    expect(rewardTableHash({ ...v5, name: 'other', note: 'n' })).toBe(rewardTableHash(v5));
    expect(rewardTableHash(v6)).not.toBe(rewardTableHash(v5));
  });

  it.each([
    ['no JSON', '{', /my\.json is no reward file: expected JSON/],
    ['another file', '{"type":"run"}', /at type/],
    ['a missing tier', JSON.stringify({ ...v5, tiers: { gold: 1 } }), /at tiers\.soft/],
    ['an unknown tier', JSON.stringify({ ...v5, tiers: { ...v5.tiers, golden: 1 } }), /golden/],
    [
      'a value that is no number',
      JSON.stringify({ ...v5, tiers: { ...v5.tiers, gold: 'x' } }),
      /at tiers\.gold/,
    ],
    ['an absurd value', JSON.stringify({ ...v5, tiers: { ...v5.tiers, gold: 1e9 } }), /at tiers\.gold/],
  ])('refuse %s and say where', (_name, text, message) => {
    expect(() => parseRewardTable(text, 'my.json')).toThrow(RewardFileError);
    expect(() => parseRewardTable(text, 'my.json')).toThrow(message);
  });
});
