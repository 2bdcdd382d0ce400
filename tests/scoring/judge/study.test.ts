import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readImport } from '../../../src/episodes/index.js';
import { loadDomain, type RetailDomain } from '../../../src/retail/index.js';
import { createRuleJudge } from '../../../src/scoring/judge/rules/rule-judge.js';
import { createRandom, deriveSeed } from '../../../src/shared/index.js';
import { hasReferenceData, referencePath } from '../../helpers/reference-data.js';
import { fewShotRecord } from './helpers/few-shot.js';
import { FAULTS, type Fault, play } from './helpers/play.js';
import { recordOf } from './helpers/record-of.js';

const judge = createRuleJudge();

interface Row {
  episodes: number;
  /** -1 on the turn of the fault; for flawless ones: no -1. */
  right: number;
  noDeviation: number;
  early: number;
  late: number;
}

async function deviationOf(
  record: Parameters<typeof judge.judge>[0]['record'],
  policy: string,
): Promise<number | null> {
  const judged = await judge.judge({ record, policy });
  if (judged.status === 'missing') throw new Error(judged.detail);
  return judged.verdicts.find((verdict) => verdict.verdict === -1)?.turn ?? null;
}

/** One episode for each test task and fault, in one of four wordings, half of the faults announced before the call. */
async function study(domain: RetailDomain): Promise<Record<string, Row>> {
  const table: Record<string, Row> = {};
  for (const task of domain.tasks.filter((each) => each.splits.includes('test')))
    for (const fault of [null, ...FAULTS] as (Fault | null)[]) {
      const random = createRandom(deriveSeed('study', task.id, 0, fault ?? 'none'));
      const played = play(domain, task, { fault, announced: random.chance(0.5), random });
      if (played === null) continue;
      const found = await deviationOf(played.record, domain.policy);
      const wanted = played.fault?.turn ?? null;
      const key = fault ?? 'flawless';
      const row = table[key] ?? { episodes: 0, right: 0, noDeviation: 0, early: 0, late: 0 };
      table[key] = row;
      row.episodes += 1;
      if (found === wanted) row.right += 1;
      else if (found === null) row.noDeviation += 1;
      else if (wanted !== null && found < wanted) row.early += 1;
      else row.late += 1;
    }
  return table;
}

describe('on tasks of the benchmarks, played in many wordings with faults put in', () => {
  it.skipIf(!hasReferenceData).each(['tau2-retail', 'tau1-retail'])(
    '%s: the -1 is on the turn of the fault in at least 95 of 100, and never in a flawless episode',
    async (source) => {
      const table = await study(await loadDomain(referencePath('data', source)));
      const { flawless, ...faulty } = table;
      expect(flawless?.right).toBe(flawless?.episodes);
      const rows = Object.values(faulty);
      const sum = (key: keyof Row): number => rows.reduce((total, row) => total + row[key], 0);
      expect(rows).toHaveLength(FAULTS.length);
      expect(sum('right') / sum('episodes'), JSON.stringify(table)).toBeGreaterThanOrEqual(0.95);
    },
    120_000,
  );
});

describe('on conversations of a real model that went well', () => {
  it.skipIf(!hasReferenceData)('only the writes that were made without a yes get a -1', async () => {
    const lines = readFileSync(referencePath('data', 'tau1-retail', 'few_shot_conversations.jsonl'), 'utf8');
    const policy = readFileSync(referencePath('data', 'tau1-retail', 'wiki.md'), 'utf8');
    const found: Record<string, number> = {};
    for (const [index, line] of lines.trim().split('\n').entries()) {
      const { messages_display } = JSON.parse(line) as { messages_display: string };
      const turn = await deviationOf(fewShotRecord(messages_display, `few-shot-${index}`), policy);
      if (turn !== null) found[index] = turn;
    }
    // 62: the customer drops an offered change and wants to cancel; the agent cancels at once.
    // 63: two orders are cancelled and one returned although nothing was read back.
    // 66: three orders and the profile get an address that was never read back. All three were read and agreed with.
    expect(found).toEqual({ 62: 14, 63: 16, 66: 13 });
  });
});

describe('on real rollouts of another domain, where it knows no words and only compares calls', () => {
  it.skipIf(!hasReferenceData)('one episode that passed has a -1, and nine of ten that failed', async () => {
    const file = referencePath('data', 'tau1-airline', 'trajectories_gpt-4o_even_tasks.json');
    const { episodes } = await readImport(file);
    const found = { passed: 0, passedWithDeviation: 0, failed: 0, failedWithDeviation: 0 };
    for (const { events } of episodes) {
      const record = recordOf(events);
      const deviates = (await deviationOf(record, '')) !== null;
      const side = record.outcome?.success === true ? 'passed' : 'failed';
      found[side] += 1;
      if (deviates) found[`${side}WithDeviation`] += 1;
    }
    // The one: five reservations are changed in a row without a word to the customer, which that policy forbids too.
    expect(found).toMatchObject({ passed: 49, passedWithDeviation: 1, failed: 51 });
    expect(found.failedWithDeviation).toBeGreaterThanOrEqual(45);
  });
});
