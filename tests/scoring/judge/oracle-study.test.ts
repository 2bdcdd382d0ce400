import { describe, expect, it } from 'vitest';
import { builtInDomain, loadDomain, type RetailDomain } from '../../../src/retail/index.js';
import type { Judgement } from '../../../src/scoring/judge/judge.js';
import { type FaultLabel, type LabelStudy, studyLabels } from '../../../src/scoring/judge/label-study.js';
import { createRuleJudge } from '../../../src/scoring/judge/rules/rule-judge.js';
import { playOracle } from '../../helpers/play-oracle.js';
import { hasReferenceData, referencePath } from '../../helpers/reference-data.js';
import { recordOf } from './helpers/record-of.js';

/** The oracle plays every `step`-th task with a fault in three of four episodes; then the rule judge has its say. */
async function study(domain: RetailDomain, step: number): Promise<LabelStudy> {
  const tasks = domain.tasks.filter((_, place) => place % step === 0);
  const judge = createRuleJudge();
  const judgements = new Map<string, Judgement>();
  const labels: FaultLabel[] = [];
  for (const { events, report } of await playOracle(domain, tasks, { faultRate: 0.75, seed: 5 })) {
    const record = recordOf(events);
    const { episode } = record.header;
    judgements.set(episode, await judge.judge({ record, policy: domain.policy }));
    const [fault] = report.faults;
    labels.push({ episode, fault: fault === undefined ? null : { kind: fault.kind, turn: fault.turn } });
  }
  return studyLabels(judgements, labels);
}

function expectGood(found: LabelStudy): void {
  const told = JSON.stringify(found.rows);
  expect(found.spared, told).toBe(1);
  expect(found.located, told).toBeGreaterThanOrEqual(0.95);
  expect(found.rows.length, told).toBeGreaterThanOrEqual(7);
}

describe('on episodes of the oracle with faults put in, the rule judge finds the turn and spares the flawless', () => {
  it('in the built-in world', async () => {
    expectGood(await study(builtInDomain(), 5));
  }, 240_000);

  it.skipIf(!hasReferenceData)(
    'on tasks of tau2-bench',
    async () => {
      expectGood(await study(await loadDomain(referencePath('data', 'tau2-retail')), 2));
    },
    240_000,
  );
});
