import { describe, expect, it } from 'vitest';
import { outcomeUnder, saidStrings, subScoresOf } from '../../../src/scoring/rewards/sub-scores.js';
import { tiersOf } from '../../../src/scoring/rewards/tiers.js';
import { turnsOf } from '../../../src/scoring/turns.js';
import { call, makeOutcome, makeRecord, makeTask, type Step } from '../record-builder.js';

const read = call('get_order_details', { order_id: '#W1' });
const cancel = call('cancel_pending_order', { order_id: '#W1', reason: 'no longer needed' });

function scores(required: string[], steps: Step[]) {
  const groundTruth = [read, cancel];
  const turns = turnsOf(makeRecord(makeTask('1', groundTruth), steps));
  return subScoresOf({ turns, tiers: tiersOf(turns, groundTruth), groundTruthCalls: 2, required });
}

describe('sub-scores', () => {
  it('count what happened, also after an early end', () => {
    const near = call('cancel_pending_order', { order_id: '#W1', reason: 'ordered by mistake' });
    const stray = call('modify_user_address', { user_id: 'u' });
    // By hand: gold 1 + near 0.5 + said 1 of (2 calls + 2 strings + 1 stray change): 2.5 / 5.
    expect(
      scores(['1,234', 'blue'], [{ call: read }, { call: near }, { call: stray }, 'It is $1234.']),
    ).toEqual({
      turns: 4,
      messages: 1,
      calls: 3,
      errors: 0,
      duplicates: 0,
      strayChanges: 1,
      goldShare: 0.5,
      softGoldShare: 0.75,
      saidShare: 0.5,
      soft: 0.5,
    });
    expect(scores([], [])).toMatchObject({ turns: 0, goldShare: 0, saidShare: null, soft: 0 });
  });

  it('a required string is said by a message, not by a tool, whatever case and commas', () => {
    const record = makeRecord(makeTask('1', []), [
      'You GET 1,600.50 back',
      { call: read, content: 'secret' },
    ]);
    expect(saidStrings(turnsOf(record), ['get 1600.50', '1,600.50', 'secret'])).toEqual([true, true, false]);
  });
});

describe('the outcome under another rule', () => {
  const record = makeRecord(makeTask('1', [], { rewardBasis: ['DB', 'ACTION'] }), ['Hi']);
  const outcome = makeOutcome(true, { database: 1, writes: 0, communicate: 0, actions: 0.5 });

  it('reads the part that each rule goes by', () => {
    expect(
      outcomeUnder({ ...record, outcome: { ...outcome, scores: { ...outcome.scores, writes: 1 } } }, 'tarl'),
    ).toBe(1);
    expect(outcomeUnder({ ...record, outcome }, 'tarl')).toBe(0);
    expect(outcomeUnder({ ...record, outcome }, 'tau')).toBe(0);
    expect(outcomeUnder({ ...record, outcome }, 'tau2')).toBe(0);
    const done = { ...outcome, scores: { ...outcome.scores, communicate: null, actions: 1 } };
    expect(outcomeUnder({ ...record, outcome: done }, 'tau')).toBe(1);
    expect(outcomeUnder({ ...record, outcome: done }, 'tau2')).toBe(1);
  });

  it('is 0 after an end that was not in order, missing in a record that was cut short', () => {
    const end = { type: 'end', turn: 1, reason: 'turn_limit', owner: 'agent' } as const;
    expect(outcomeUnder({ ...record, end, outcome: makeOutcome(true) }, 'tarl')).toBe(0);
    expect(outcomeUnder({ ...record, outcome: null }, 'tarl')).toBeNull();
  });
});
