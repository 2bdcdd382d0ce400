import { describe, expect, it } from 'vitest';
import {
  effectiveEpisodes,
  type OnlineState,
  observeRollout,
  onlineRewards,
  startOnline,
} from '../../../src/scoring/calibration/online.js';
import { pointBiserial } from '../../../src/scoring/calibration/point-biserial.js';
import { REWARD_TABLES } from '../../../src/scoring/rewards/reward-table.js';
import type { Tier } from '../../../src/scoring/rewards/tier.js';

const { v5 } = REWARD_TABLES;
const episode = (success: 0 | 1, ...tiers: Tier[]) => ({
  success,
  turns: tiers.map((tier) => ({ tier, share: 0, matched: null })),
});

function feed(
  state: OnlineState,
  times: number,
  halfLifeEpisodes: number,
  ...episodes: ReturnType<typeof episode>[]
) {
  let next = state;
  for (let time = 0; time < times; time += 1)
    for (const one of episodes) next = observeRollout(next, one, { halfLifeEpisodes });
  return next;
}

describe('online calibration', () => {
  it('with a very long memory is the plain correlation: 3 of 4 passing, 1 of 4 failing is 0.5', () => {
    const state = feed(
      startOnline(),
      1,
      1e12,
      ...[1, 1, 1].map(() => episode(1, 'read')),
      episode(1),
      episode(0, 'read'),
      ...[1, 1, 1].map(() => episode(0)),
    );
    const { tiers } = onlineRewards(state, v5);
    const expected = pointBiserial({ passingWith: 3, passingWithout: 1, failingWith: 1, failingWithout: 3 });
    expect(tiers.find((one) => one.tier === 'read')?.rho).toBeCloseTo(expected ?? Number.NaN, 6);
  });

  it('changes nothing before it has seen enough, and nothing where there is no evidence', () => {
    const few = feed(startOnline(), 10, 512, episode(1, 'gold'), episode(0, 'error'));
    expect(onlineRewards(few, v5).rewards.tiers).toEqual(v5.tiers);
    const many = feed(startOnline(), 100, 512, episode(1, 'gold'), episode(0, 'error'));
    const { rewards, tiers } = onlineRewards(many, v5);
    expect(rewards.tiers.gold).toBeCloseTo(1, 3);
    expect(rewards.tiers.error).toBeCloseTo(-1, 3);
    expect(tiers.find((one) => one.tier === 'duplicate')).toEqual({
      tier: 'duplicate',
      rho: null,
      value: -0.2,
    });
  });

  it('forgets: when reading turns from good to bad, its value follows', () => {
    const good = feed(startOnline(), 200, 50, episode(1, 'read'), episode(0));
    expect(onlineRewards(good, v5).rewards.tiers.read).toBeGreaterThan(0.9);
    const bad = feed(good, 400, 50, episode(0, 'read'), episode(1));
    expect(onlineRewards(bad, v5).rewards.tiers.read).toBeLessThan(-0.9);
  });

  it('knows how many episodes its memory is worth, and survives a checkpoint', () => {
    const state = feed(startOnline(), 2000, 50, episode(1, 'gold'), episode(0));
    // Weights d^n with d = 0.5^(1/50): (1 / (1 - d))² * (1 - d²) = (1 + d) / (1 - d) = 144.3.
    expect(effectiveEpisodes(state)).toBeCloseTo(144.3, 1);
    expect(onlineRewards(JSON.parse(JSON.stringify(state)) as OnlineState, v5)).toEqual(
      onlineRewards(state, v5),
    );
  });
});
