import { describe, expect, it } from 'vitest';
import { builtInDomain } from '../../../src/retail/index.js';
import type { Judgement } from '../../../src/scoring/judge/judge.js';
import { type FaultLabel, type LabelStudy, studyLabels } from '../../../src/scoring/judge/label-study.js';
import { createRuleJudge } from '../../../src/scoring/judge/rules/rule-judge.js';
import { createRandom, deriveSeed } from '../../../src/shared/index.js';
import { type Played, playOracle } from '../../helpers/play-oracle.js';
import { HELD_OUT, type Phrases, paraphrase, SEEN } from './helpers/paraphrase.js';
import { recordOf } from './helpers/record-of.js';

const domain = builtInDomain();
/** 1: all tasks, as for the figures in docs/judge.md. */
const STEP = 4;

async function judgeAll(played: readonly Played[], phrases: Phrases): Promise<LabelStudy> {
  const judge = createRuleJudge();
  const judgements = new Map<string, Judgement>();
  const labels: FaultLabel[] = [];
  for (const { events, report } of played) {
    const { episode } = recordOf(events).header;
    const record = recordOf(paraphrase(events, phrases, createRandom(deriveSeed('paraphrase', episode))));
    judgements.set(episode, await judge.judge({ record, policy: domain.policy }));
    const [fault] = report.faults;
    labels.push({ episode, fault: fault === undefined ? null : { kind: fault.kind, turn: fault.turn } });
  }
  return studyLabels(judgements, labels);
}

describe('on the oracle’s episodes, reworded', () => {
  it('the rule judge finds the faults and spares the flawless, also in words that it was never changed for', async () => {
    const tasks = domain.tasks.filter((_, place) => place % STEP === 0);
    const played = await playOracle(domain, tasks, { faultRate: 0.5, seed: 11 });
    const seen = await judgeAll(played, SEEN);
    expect(seen.located, JSON.stringify(seen.rows)).toBeGreaterThanOrEqual(0.9);
    expect(seen.spared, JSON.stringify(seen.rows)).toBeGreaterThanOrEqual(0.95);
    const heldOut = await judgeAll(played, HELD_OUT);
    expect(heldOut.located, JSON.stringify(heldOut.rows)).toBeGreaterThanOrEqual(0.9);
    expect(heldOut.spared, JSON.stringify(heldOut.rows)).toBeGreaterThanOrEqual(0.95);
  }, 240_000);
});
