import { describe, expect, it } from 'vitest';
import { checkTurnBatch, createTurnBatch, spreadOverTurns } from '../../../src/scoring/advantages/batch.js';
import { InvalidBatchError } from '../../../src/scoring/errors.js';

describe('a batch of rollouts', () => {
  it('is laid out group by group, empty groups and episodes included', () => {
    const batch = createTurnBatch([
      [
        { outcome: 1, turnRewards: [1, 2] },
        { outcome: 0, turnRewards: [] },
      ],
      [],
      [{ outcome: 1, turnRewards: [3] }],
    ]);
    expect([...batch.groupOffsets]).toEqual([0, 2, 2, 3]);
    expect([...batch.turnOffsets]).toEqual([0, 2, 2, 3]);
    expect([...batch.turnRewards]).toEqual([1, 2, 3]);
    expect([...batch.outcomes]).toEqual([1, 0, 1]);
  });

  it('refuses what has no score: a missing number is never 0', () => {
    expect(() => createTurnBatch([[{ outcome: Number.NaN, turnRewards: [] }]])).toThrow(InvalidBatchError);
    expect(() => createTurnBatch([[{ outcome: 1, turnRewards: [Number.POSITIVE_INFINITY] }]])).toThrow(
      /turnRewards\[0\]/,
    );
  });

  it('refuses offsets that do not fit', () => {
    const batch = createTurnBatch([[{ outcome: 1, turnRewards: [1, 2] }]]);
    const wrong = [
      { ...batch, turnOffsets: Uint32Array.of(0, 1) },
      { ...batch, turnOffsets: Uint32Array.of(0, 2, 2) },
      { ...batch, groupOffsets: Uint32Array.of(1, 1) },
      { ...batch, groupOffsets: Uint32Array.of(0, 2, 1) },
    ];
    for (const one of wrong) expect(() => checkTurnBatch(one)).toThrow(InvalidBatchError);
  });

  it('spreads an episode over its turns', () => {
    const episodes = { values: Float64Array.of(2, -1), live: Uint8Array.of(1, 0) };
    const turns = spreadOverTurns(episodes, Uint32Array.of(0, 2, 3));
    expect([...turns.values]).toEqual([2, 2, -1]);
    expect([...turns.live]).toEqual([1, 1, 0]);
  });
});
