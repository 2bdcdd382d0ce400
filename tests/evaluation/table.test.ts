import { describe, expect, it } from 'vitest';
import { summariseRun } from '../../src/evaluation/metrics/run-summary.js';
import { renderTable } from '../../src/evaluation/table.js';
import { makeManifest, makeRecord } from './helpers/records.js';

const manifest = makeManifest({
  tasks: ['a', 'b', 'c'],
  trials: 2,
  groundTruthFaults: [
    {
      task: 'b',
      callIndex: 1,
      call: 'return_delivered_order_items',
      isWrite: true,
      error: 'payment method not found',
    },
    { task: 'c', callIndex: 0, call: 'find_user_id_by_email', isWrite: false, error: 'no such user' },
  ],
});
const run = {
  manifest,
  records: [
    makeRecord({ task: 'a', trial: 0, unscored: ['NL_ASSERTION'] }),
    makeRecord({ task: 'a', trial: 1 }),
    makeRecord({ task: 'b', trial: 0, success: false, reason: 'turn_limit' }),
    makeRecord({ task: 'b', trial: 1 }),
    makeRecord({ task: 'c', trial: 0, success: false, reason: 'platform_failed' }),
  ],
  labels: [],
};

describe('the table', () => {
  const table = renderTable(summariseRun(run), { colour: false });

  it('gives both estimators with intervals and the number of tasks that each row covers', () => {
    expect(table).toMatch(/^ {2}1 +75\.0 +\d+\.\d – +\d+\.\d +50\.0 +\d+\.\d – +\d+\.\d +75\.0 +2$/m);
    expect(table).toMatch(/^ {2}2 +50\.0 .* 50\.0 .* 100\.0 +2$/m);
  });

  it('counts passed, failed, invalid and not run apart, and shows the invalid as failed too', () => {
    expect(table).toContain('4 of 6 episodes, 3 passed, 1 failed, 1 invalid, 1 not run');
    expect(table).toContain('the same with invalid episodes counted as failed');
  });

  it('says who ended the episodes, what nobody could score and which ground truth is doubtful', () => {
    expect(table).toContain('user: customer_stop 3 (3 passed) · agent: turn_limit 1 (0 passed)');
    expect(table).toContain('NL assertions unscored in 1 text episodes (no judge model); the rest decides');
    expect(table).toContain(
      'b (1 of 2 passed): call 2, return_delivered_order_items, fails: payment method not found',
    );
    expect(table).toContain('the ground truth of c looks up something that is not there');
    expect(table).not.toContain('no such user');
  });

  it('says plainly that a reference agent is not a model', () => {
    const labelled = makeManifest({ agent: { name: 'oracle', options: { faults: 0.15 }, labels: true } });
    const text = renderTable(summariseRun({ manifest: labelled, records: [], labels: [] }), {
      colour: false,
    });
    expect(text).toMatch(/agent oracle \(faults 0\.15\): a reference .* not a model/);
  });

  it('has escapes only when colour is wanted', () => {
    expect(table).not.toContain('\u001b');
    expect(renderTable(summariseRun(run), { colour: true })).toContain('\u001b[1m');
  });
});
