import { describe, expect, it } from 'vitest';
import { agreementOf, cohenKappa } from '../../../src/scoring/judge/agreement.js';
import type { Judge, Judgement } from '../../../src/scoring/judge/judge.js';
import { studyLabels } from '../../../src/scoring/judge/label-study.js';
import { createVotingJudge } from '../../../src/scoring/judge/vote.js';
import type { Verdict } from '../../../src/scoring/rewards/tarl.js';
import { makeRecord } from '../../evaluation/helpers/records.js';

const identity = { name: 'x', version: '1', hash: 'h' };
const judged = (...verdicts: Verdict[]): Judgement => ({
  ...{ status: 'judged', judge: identity },
  verdicts: verdicts.map((verdict, index) => ({ turn: index + 1, verdict, reason: 'r' })),
});
const missing: Judgement = { status: 'missing', judge: identity, reason: 'model-failed', detail: 'down' };

describe("Cohen's kappa", () => {
  it('is what the table gives by hand, 1 for equals, null where chance alone agrees', () => {
    expect(
      cohenKappa([
        [20, 5],
        [10, 15],
      ]),
    ).toBeCloseTo(0.4, 12);
    expect(
      cohenKappa([
        [3, 0],
        [0, 4],
      ]),
    ).toBe(1);
    expect(
      cohenKappa([
        [7, 0],
        [0, 0],
      ]),
    ).toBeNull();
    expect(cohenKappa([[0]])).toBeNull();
  });
});

describe('agreement of a judge with a reference', () => {
  it('counts turns by class, where the -1 fell, and what neither covers', () => {
    const reference = new Map([
      ['a', judged(1, -1, 0)],
      ['b', judged(1, 1)],
      ['c', judged(1)],
      ['d', judged(-1, 0)],
    ]);
    const judge = new Map([
      ['a', judged(1, 0, -1)],
      ['b', judged(1, 1)],
      ['c', missing],
      ['e', judged(1)],
      ['d', judged(1, 1)],
    ]);
    const found = agreementOf(judge, reference);
    expect(found).toMatchObject({ episodes: 3, uncovered: 2, turns: 7 });
    // Rows: reference -1, 0, 1. By hand: a gives (1,1) (-1,0) (0,-1), b twice (1,1), d (-1,1) (0,1).
    expect(found.confusion).toEqual([
      [0, 1, 1],
      [1, 0, 1],
      [0, 0, 3],
    ]);
    expect(found.observed).toBeCloseTo(3 / 7, 12);
    expect(found.classes[2]).toEqual({ verdict: 1, reference: 3, judged: 5, precision: 3 / 5, recall: 1 });
    expect(found.classes[0]).toMatchObject({ precision: 0, recall: 0 });
    expect(found.deviation).toEqual({
      bothNone: 1,
      sameTurn: 0,
      earlier: 0,
      later: 1,
      missed: 1,
      spurious: 0,
    });
  });

  it('of nothing has no figures', () => {
    expect(agreementOf(new Map(), new Map())).toMatchObject({ episodes: 0, kappa: null, observed: null });
  });
});

describe('a judge against labels', () => {
  it('is counted by kind; a fault after the last turn counts as on it; missing judgements are told apart', () => {
    const judgements = new Map([
      ['a', judged(1, -1)],
      ['b', judged(1, 1)],
      ['c', judged(-1, 1)],
      ['d', missing],
      ['e', judged(-1)],
    ]);
    const study = studyLabels(judgements, [
      { episode: 'a', fault: { kind: 'early_end', turn: 3 } },
      { episode: 'b', fault: { kind: 'early_end', turn: 1 } },
      { episode: 'c', fault: null },
      { episode: 'd', fault: { kind: 'wrong_item', turn: 1 } },
      { episode: 'e', fault: { kind: 'wrong_item', turn: 1 } },
      { episode: 'not judged', fault: null },
    ]);
    expect(study.rows.map((row) => row.kind)).toEqual(['flawless', 'early_end', 'wrong_item']);
    expect(study.rows[0]).toMatchObject({ episodes: 1, spurious: 1 });
    expect(study.rows[1]).toMatchObject({ episodes: 2, sameTurn: 1, missed: 1 });
    expect(study.rows[2]).toMatchObject({ episodes: 2, sameTurn: 1, missing: 1 });
    expect(study.located).toBeCloseTo(2 / 3, 12);
    expect(study.spared).toBe(0);
  });
});

describe('judges vote', () => {
  const record = makeRecord({ task: 'a' });
  const vote = async (...judgements: Judgement[]): Promise<Judgement> => {
    const judges = judgements.map((judgement): Judge => ({ identity, judge: async () => judgement }));
    return createVotingJudge(judges).judge({ record, policy: '' });
  };
  const values = (judgement: Judgement): number[] =>
    judgement.status === 'judged' ? judgement.verdicts.map((entry) => entry.verdict) : [];

  it('the -1 goes where more than half put it', async () => {
    expect(values(await vote(judged(1, -1, 0), judged(1, -1, 1), judged(1, 1, 1)))).toEqual([1, -1, 1]);
  });
  it('without a majority for one turn there is no -1', async () => {
    expect(values(await vote(judged(1, -1), judged(-1, 0), judged(1, 1)))).toEqual([1, 0]);
    expect(values(await vote(judged(1, -1), judged(1, 1)))).toEqual([1, 0]);
  });
  it('missing judgements do not vote; with half of them missing the vote is missing', async () => {
    expect(values(await vote(judged(-1), judged(-1), missing))).toEqual([-1]);
    expect(await vote(judged(-1), missing)).toMatchObject({ status: 'missing', reason: 'no-majority' });
  });
});
