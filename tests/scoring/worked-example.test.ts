import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  batchRollouts,
  grpo,
  gtpo,
  hybrid,
  type Judge,
  mtGrpo,
  REWARD_TABLES,
  renderCreditPicture,
  rloo,
  rolloutOf,
  scoreRun,
  tarlReward,
  turnReward,
  type Verdict,
} from '../../src/scoring/index.js';
import { call, makeRecord, makeTask, type Step } from './record-builder.js';

/** The episode of docs/scoring.md and its three siblings; every number printed there is computed here. */
const page = readFileSync(resolve(import.meta.dirname, '../../docs/scoring.md'), 'utf8').replaceAll(
  / +/g,
  ' ',
);

const look = call('get_order_details', { order_id: '#W1001' });
const giveBack = (item: string) =>
  call('return_delivered_order_items', {
    order_id: '#W1001',
    item_ids: [item],
    payment_method_id: 'gift_card_7',
  });
const task = makeTask('kettle', [look, giveBack('55')]);

interface Example {
  readonly success: boolean;
  readonly steps: readonly Step[];
  readonly verdicts: readonly Verdict[];
}

const GROUP: readonly Example[] = [
  {
    success: false,
    steps: ['Which order?', { call: look }, 'Return the toaster, yes?', { call: giveBack('44') }, 'Done.'],
    verdicts: [1, 1, -1, 0, 1],
  },
  {
    success: true,
    steps: ['Which order?', { call: look }, 'Return the kettle, yes?', { call: giveBack('55') }, 'Done.'],
    verdicts: [1, 1, 1, 1, 1],
  },
  {
    success: true,
    steps: [
      'Which order?',
      { call: call('get_order_details', { order_id: '#W1010' }), ok: false },
      { call: look },
      'Return the kettle, yes?',
      { call: giveBack('55') },
      'Done.',
    ],
    verdicts: [1, 0, 1, 1, 1, 1],
  },
  {
    success: false,
    steps: [
      'Which order?',
      { call: look },
      { call: call('transfer_to_human_agents', { summary: 'kettle' }) },
    ],
    verdicts: [1, 1, 0],
  },
];

const rewards = GROUP.map(({ success, verdicts }) => tarlReward({ outcome: success ? 1 : 0, verdicts }));
const records = GROUP.map(({ success, steps }, trial) =>
  makeRecord(task, steps, { success, header: { trial, episode: `kettle.${trial}` } }),
);
const rollouts = records.map((record) => {
  const rollout = rolloutOf(record);
  if (rollout === null) throw new Error('it has an outcome');
  return rollout;
});
const batch = batchRollouts(rollouts, REWARD_TABLES.v6);

function show(value: number, digits = 2): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : value > 0 ? `+${text}` : text.replace('-', '−');
}
/** Rows that the page does not hold: one short list instead of the whole page in a failure. */
const missingRows = (rows: readonly (readonly (string | number)[])[]) =>
  rows.map((cells) => `| ${cells.join(' | ')} |`).filter((row) => !page.includes(row));

describe('the worked example of docs/scoring.md', () => {
  it('has the tiers and turn rewards that the page shows', () => {
    const [first] = rollouts;
    expect(rollouts.map((rollout) => rollout.turns.map((turn) => turn.tier))).toEqual([
      ['message', 'gold', 'message', 'soft', 'message'],
      ['message', 'gold', 'message', 'gold', 'message'],
      ['message', 'error', 'gold', 'message', 'gold', 'message'],
      ['message', 'gold', 'state'],
    ]);
    first?.turns.forEach((turn, index) => {
      const verdict = GROUP[0]?.verdicts[index] ?? 0;
      const part = rewards[0]?.turnParts[index] ?? Number.NaN;
      expect(page).toMatch(
        new RegExp(
          `\\| ${index + 1} \\| [^|]+ \\| ${verdict === -1 ? '−1' : verdict} \\| ${show(part, 0).replace('+', '\\+')} \\| ${turn.tier} \\| ${show(turnReward(REWARD_TABLES.v6, turn), 3).replace('+', '\\+')} \\|`,
        ),
      );
    });
  });

  it('has the episode rewards, kinds and episode advantages that the page shows', () => {
    const scores = Float64Array.from(rewards, (reward) => reward.score ?? Number.NaN);
    const offsets = Uint32Array.of(0, 4);
    const relative = grpo(scores, offsets).values;
    const leaveOut = rloo(scores, offsets).values;
    const rows = rewards.map((reward, index) => [
      'ABCD'.charAt(index),
      GROUP[index]?.verdicts.join(' ').replace('-', '−') ?? '',
      GROUP[index]?.success ? 1 : 0,
      show(scores[index] ?? Number.NaN),
      reward.kind ?? '',
      show(relative[index] ?? Number.NaN),
      show(leaveOut[index] ?? Number.NaN),
    ]);
    expect(missingRows(rows)).toEqual([]);
  });

  it('has the turn advantages that the page shows', () => {
    const rows: Record<string, Float64Array> = {
      'MT-GRPO': mtGrpo(batch).values,
      'hybrid, pooled by group': hybrid(batch).values,
      'hybrid, pooled by position': hybrid(batch, { pooling: 'position' }).values,
      GTPO: gtpo(batch).values,
    };
    const shown = Object.entries(rows).map(([name, values]) => [
      name,
      ...Array.from(values.subarray(0, 5), (value) => show(value)),
    ]);
    expect(missingRows(shown)).toEqual([]);
  });

  it('has the credit that the picture shows (made anew with: npx vitest run tests/scoring/worked-example.test.ts -u)', async () => {
    const identity = { name: 'by hand', version: '1', hash: 'by-hand' };
    const judge: Judge = {
      identity,
      judge: async ({ record }) => ({
        ...{ status: 'judged', judge: identity },
        verdicts: (GROUP[record.header.trial]?.verdicts ?? []).map((verdict, index) => ({
          ...{ turn: index + 1, verdict, reason: '' },
        })),
      }),
    };
    const { lines, scorer } = await scoreRun(
      records,
      { judge, turnScale: '5/T', outcome: 'recorded', rewards: REWARD_TABLES.v6, advantage: 'hybrid' },
      { policyOf: () => '' },
    );
    const [line] = lines;
    const [record] = records;
    if (line === undefined || record === undefined) throw new Error('no episode');
    const picture = renderCreditPicture(line, record, scorer);
    expect(Array.from(picture.matchAll(/>([+−]\d+\.\d\d|0)</g), (match) => match[1])).toEqual([
      ...['+1.00', '0', '−0.09', '+1.00', '+1.00', '+0.13', '−5.00', '0', '−1.10'],
      ...['0', '0', '+0.83', '−0.99', '+1.00', '0', '−2.09'],
    ]);
    await expect(picture).toMatchFileSnapshot('../../docs/credit.svg');
  });
});
