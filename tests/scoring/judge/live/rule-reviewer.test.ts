import { describe, expect, it } from 'vitest';
import type { RecordEvent } from '../../../../src/episodes/index.js';
import { builtInDomain, type Task } from '../../../../src/retail/index.js';
import { createRuleReviewer } from '../../../../src/scoring/index.js';
import { type Played, playOracle, transcript } from '../../../helpers/play-oracle.js';

const domain = builtInDomain();
const liveJudge = createRuleReviewer({ policy: domain.policy });
/** Every twelfth task: all kinds of faults, in a few seconds. */
const tasks = domain.tasks.filter((_, place) => place % 12 === 0);

type Intervention = Extract<RecordEvent, { type: 'intervention' }>;
const interventionsIn = ({ events }: Played): Intervention[] =>
  events.filter((event) => event.type === 'intervention');

/** Everything that only the ground truth tells: ids, items, amounts, reasons, addresses. */
function secretsOf(task: Task): string[] {
  const values = (value: unknown): string[] =>
    typeof value === 'object' && value !== null ? Object.values(value).flatMap(values) : [String(value)];
  return [...task.groundTruth.flatMap((call) => [call.name, ...values(call.arguments)]), ...task.communicate];
}

/** As a word of its own: "OK" is a state, and part of "look". */
function holds(message: string, secret: string): boolean {
  const bare = secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![a-z0-9])${bare}(?![a-z0-9])`, secret.length < 3 ? '' : 'i').test(message);
}

describe('the rule judge during the episode', () => {
  it('lets everything pass that a flawless oracle does', async () => {
    const played = await playOracle(domain, tasks, { liveJudge });
    for (const each of played) expect(interventionsIn(each), transcript(each)).toEqual([]);
  });

  it('breaks in before every fault but hanging up, mends those of an oracle that listens, and never tells the answer', async () => {
    const faulty = { faultRate: 1, seed: 11 };
    const played = await playOracle(domain, tasks, { ...faulty, liveJudge });
    const without = await playOracle(domain, tasks, faulty);
    let insisted = 0;
    let told = 0;
    for (const [place, each] of played.entries()) {
      const { faults, mended = [] } = each.report;
      const interventions = interventionsIn(each);
      // The same fault was on its way with and without a judge.
      const [put] = without[place]?.report.faults ?? [];
      const [here] = [...faults, ...mended];
      expect(here).toEqual(put);
      expect(interventions.length > 0, transcript(each)).toBe(here?.kind !== 'early_end');
      if (mended.length > 0) expect(each.success, transcript(each)).toBe(true);
      if (mended.length > 0) expect(faults).toEqual([]);
      else if (here?.kind !== 'early_end') insisted += 1;
      for (const { message, text, call } of interventions) {
        told += 1;
        const own = JSON.stringify([text, call]);
        for (const secret of secretsOf(each.task))
          if (!own.includes(secret)) expect(holds(message, secret), `${secret}: ${message}`).toBe(false);
        expect(message).not.toMatch(/\d/);
      }
    }
    expect(told).toBeGreaterThan(20);
    expect(insisted).toBeGreaterThan(0);
    expect(insisted).toBeLessThan(played.length / 2);
  });

  it('says nothing to a past without a header', () => {
    expect(liveJudge.review([], { type: 'message', text: 'Shall I?' })).toBeNull();
  });
});
