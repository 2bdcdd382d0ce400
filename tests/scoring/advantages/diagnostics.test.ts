import { describe, expect, it } from 'vitest';
import { createTurnBatch, spreadOverTurns } from '../../../src/scoring/advantages/batch.js';
import {
  correlation,
  deadTurnShare,
  gradientShare,
  tierAlignment,
} from '../../../src/scoring/advantages/diagnostics.js';
import { grpo } from '../../../src/scoring/advantages/group-relative.js';
import { hybrid, mtGrpo } from '../../../src/scoring/advantages/turn-level.js';
import { intentsOf } from '../../../src/scoring/calibration/decide.js';
import { REWARD_TABLES } from '../../../src/scoring/rewards/reward-table.js';
import { tierCodes } from '../../../src/scoring/rewards/tier.js';

const gold = { tier: 'gold' } as const;
const read = { tier: 'read' } as const;

describe('dead turns', () => {
  // One task with equal outcomes, one with mixed ones; two turns an episode, so four turns each.
  const batch = createTurnBatch([
    [
      { outcome: 1, turnRewards: [0, 1] },
      { outcome: 1, turnRewards: [0, 0] },
    ],
    [
      { outcome: 1, turnRewards: [0, 0] },
      { outcome: 0, turnRewards: [0, 0] },
    ],
  ]);

  it('a sparse outcome leaves whole tasks dead, dense rewards wake them', () => {
    const sparse = spreadOverTurns(grpo(batch.outcomes, batch.groupOffsets), batch.turnOffsets);
    expect(deadTurnShare(sparse)).toBe(0.5);
    expect(deadTurnShare(mtGrpo(batch))).toBe(0);
    expect(deadTurnShare(hybrid(batch, { pooling: 'position' }))).toBe(0);
  });

  it('of no turns is not a number', () => {
    expect(deadTurnShare({ live: new Uint8Array(0) })).toBeNull();
  });
});

describe('the misalignment table', () => {
  it('finds reads that are rewarded and yet pushed down', () => {
    const tiers = tierCodes([gold, read, read, read]);
    const rows = tierAlignment(tiers, Float64Array.of(1.2, 0.2, -0.9, -0.4), {
      intents: intentsOf(REWARD_TABLES.v5),
    });
    const row = (tier: string) => rows.find((one) => one.tier === tier);
    expect(row('gold')).toMatchObject({ turns: 1, meanAdvantage: 1.2, intended: 1, aligned: true });
    expect(row('read')).toMatchObject({ turns: 3, intended: 1, aligned: false });
    expect(row('read')?.meanAdvantage).toBeCloseTo(-1.1 / 3, 12);
    expect(row('error')).toMatchObject({ turns: 0, meanAdvantage: null, aligned: null });
  });

  it('makes no claim about a tier that is worth 0', () => {
    const rows = tierAlignment(tierCodes([read]), Float64Array.of(-1), {
      intents: intentsOf(REWARD_TABLES.v6),
    });
    expect(rows.find((row) => row.tier === 'read')).toMatchObject({ intended: 0, aligned: null });
  });

  it('a mean of zero points nowhere', () => {
    const rows = tierAlignment(tierCodes([gold]), Float64Array.of(0), {
      intents: intentsOf(REWARD_TABLES.v6),
    });
    expect(rows.find((row) => row.tier === 'gold')?.aligned).toBe(false);
  });
});

describe('the share of the gradient', () => {
  it('is by size, whatever the sign, and sums to one', () => {
    const share = gradientShare(tierCodes([gold, read]), Float64Array.of(-3, 1));
    expect(share).toMatchObject({ gold: 0.75, read: 0.25, message: 0 });
  });

  it('counts tokens where they are known', () => {
    const share = gradientShare(tierCodes([gold, read]), Float64Array.of(-3, 1), Uint32Array.of(1, 3));
    expect(share).toMatchObject({ gold: 0.5, read: 0.5 });
  });

  it('of nothing is missing', () => {
    expect(gradientShare(tierCodes([gold]), Float64Array.of(0))).toBeNull();
  });
});

describe('correlation', () => {
  it('equals the case worked by hand: 1 2 3 with 1 3 2 is 0.5', () => {
    expect(correlation(Float64Array.of(1, 2, 3), Float64Array.of(1, 3, 2))).toBeCloseTo(0.5, 12);
  });

  it('of what does not vary is missing, not 0', () => {
    expect(correlation(Float64Array.of(0.1, 0.1, 0.1), Float64Array.of(1, 3, 2))).toBeNull();
    expect(correlation(Float64Array.of(1), Float64Array.of(1))).toBeNull();
  });
});
