import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ImportError, parseEpisode, readImport, readRun, writeImport } from '../../../src/episodes/index.js';
import { calibrate, REWARD_TABLES, rolloutOf, turnsOf } from '../../../src/scoring/index.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlor-import-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function importRows(rows: unknown) {
  const file = join(folder, 'rollouts.json');
  await writeFile(file, JSON.stringify(rows));
  const reading = await readImport(file);
  const out = join(folder, 'run');
  const summary = await writeImport(reading, out, 'rollouts.json');
  return { reading, summary, ...(await readRun(out)) };
}

const task = {
  user_id: 'u1',
  instruction: 'You want your flight cancelled.',
  actions: [{ name: 'cancel_reservation', kwargs: { reservation_id: 'ABC' } }],
  outputs: ['1,250'],
};
const cancel = (id: string, reservation: string) => ({
  role: 'assistant',
  content: 'Let me cancel that.',
  tool_calls: [
    {
      id,
      type: 'function',
      function: { name: 'cancel_reservation', arguments: `{"reservation_id":"${reservation}"}` },
    },
  ],
});
const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, name: 'x', content });
const conversation = [
  { role: 'system', content: '# Policy' },
  { role: 'user', content: 'Cancel please' },
  cancel('same', 'XYZ'),
  result('same', 'Error: reservation not found'),
  cancel('same', 'ABC'),
  result('same', '{"status":"cancelled"}'),
  { role: 'assistant', content: 'Done, $1250 comes back.', refusal: 'none' },
  { role: 'user', content: 'Thanks ###STOP###' },
];
const row = (overrides: object = {}) => ({
  task_id: 3,
  trial: 1,
  reward: 1,
  info: {
    task,
    source: 'user',
    user_cost: 0.01,
    reward_info: { reward: 1, info: { r_outputs: 1, outputs: { '1,250': true } } },
  },
  traj: conversation,
  ...overrides,
});

describe('a rollout of tau-bench as an episode record', () => {
  it('keeps its turns, its ground truth and its end', async () => {
    const { records, faults } = await importRows([row()]);
    expect(faults).toEqual([]);
    const [record] = records;
    expect(record?.header).toMatchObject({
      episode: '3.text.t1.s0',
      source: 'import',
      agent: 'rollouts',
      task: { id: '3', userId: 'u1', groundTruth: [{ name: 'cancel_reservation' }], communicate: ['1,250'] },
      imported: { format: 'tau1', file: 'rollouts.json', row: 0, domain: 'airline' },
    });
    expect(record?.end).toMatchObject({ reason: 'customer_stop', owner: 'user', turn: 3 });
    if (record === undefined) throw new Error('no record');
    expect(turnsOf(record)).toMatchObject([
      // What is written beside a call never reached the customer.
      { kind: 'call', ok: false, content: 'Error: reservation not found', reasoning: 'Let me cancel that.' },
      { kind: 'call', ok: true, content: '{"status":"cancelled"}' },
      { kind: 'message', text: 'Done, $1250 comes back.', customer: { text: 'Thanks', end: 'stop' } },
    ]);
  });

  it('keeps fields that have no place in a record', async () => {
    const { records } = await importRows([
      row({ extra: { a: 1 }, info: { ...row().info, task: { ...task, note: 'n' } } }),
    ]);
    expect(records[0]?.header.imported).toMatchObject({
      fields: { extra: { a: 1 }, info: { source: 'user', user_cost: 0.01, task: { note: 'n' } } },
      messages: { 6: { refusal: 'none' } },
    });
    expect(await readFile(join(folder, 'run', 'policy.md'), 'utf8')).toBe('# Policy');
  });

  it.each([
    ['a success', 1, { r_outputs: 1, outputs: {} }, { database: 1, writes: 1, communicate: 1 }],
    ['all said, so the database decided', 0, { r_outputs: 1, outputs: {} }, { database: 0, communicate: 1 }],
    [
      'not all said, so the database is not told',
      0,
      { r_outputs: 0, outputs: { '1,250': false } },
      { database: null, communicate: 0 },
    ],
    ['the database is told', 0, { r_actions: 0, gt_data_hash: 'x' }, { database: 0, communicate: 1 }],
  ])('has the parts of the reward that the source tells: %s', async (_name, reward, told, scores) => {
    const { records } = await importRows([
      row({ reward, info: { task, reward_info: { reward, info: told } } }),
    ]);
    expect(records[0]?.outcome).toMatchObject({ rule: 'tau', reward, success: reward === 1, scores });
  });

  it('a rollout that ran out of turns or was handed over ends so', async () => {
    const cut = row({
      trial: 0,
      reward: 0,
      traj: conversation.slice(0, 6),
      info: { task, reward_info: null },
    });
    const handOver = [
      ...conversation.slice(0, 2),
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 't', function: { name: 'transfer_to_human_agents', arguments: '{}' } }],
      },
      result('t', 'Transfer successful'),
    ];
    const { records } = await importRows([cut, row({ traj: handOver })]);
    expect(records.map((record) => record.end?.reason)).toEqual(['turn_limit', 'transfer']);
  });

  it('a rollout that crashed there borrows its task and is the fault of the platform', async () => {
    const crash = { task_id: 3, trial: 0, reward: 0, info: { error: 'timeout', traceback: 'T' }, traj: [] };
    const { records } = await importRows([crash, row()]);
    expect(records[0]?.end).toMatchObject({ reason: 'platform_failed', owner: 'platform' });
    expect(records[0]?.header.imported?.fields).toEqual({ info: { error: 'timeout', traceback: 'T' } });
  });

  it('names broken rows and skips them, the others go on', async () => {
    const { records, reading } = await importRows([
      'rubbish',
      row({ trial: -1 }),
      row({ task_id: 9, info: {} }),
      row({ traj: [{ role: 'user', content: 'x' }, result('a', 'y')] }),
      row({
        traj: [
          { role: 'user', content: 'x' },
          { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{' } }] },
        ],
      }),
      row({ traj: [{ role: 'user', content: 'API output: {}' }] }),
      row({ traj: [{ role: 'narrator', content: 'x' }] }),
      row(),
    ]);
    expect(records).toHaveLength(1);
    expect(reading.faults.map(({ where, problem }) => `${where}: ${problem}`)).toEqual([
      expect.stringMatching(/^row 0: at the top/),
      expect.stringMatching(/^row 1 \(task 3, trial -1\): at trial/),
      expect.stringMatching(/^row 2 \(task 9, trial 1\): no row of this task tells its ground truth/),
      expect.stringMatching(/^row 3 .*message 1: a tool result without a call/),
      expect.stringMatching(/^row 4 .*message 1: the call's arguments are not JSON/),
      expect.stringMatching(/^row 5 .*message 0: a transcript of the act or react agent/),
      expect.stringMatching(/^row 6 .*role of assistant, user, tool or system; got "narrator"/),
    ]);
  });

  it('two rows of the same trial become two attempts, neither is lost', async () => {
    const { records } = await importRows([row(), row()]);
    expect(records.map((record) => record.header.episode)).toEqual(['3.text.t1.s0', '3.text.t1.s0~2']);
  });

  it('is not imported twice into the same folder', async () => {
    const { reading } = await importRows([row()]);
    await expect(writeImport(reading, join(folder, 'run'), 'f')).rejects.toThrow(/holds 1 episodes already/);
  });

  it.each([
    ['nothing', undefined, /cannot read/],
    ['no JSON', '[{', /cannot read .*give a result list/],
    ['another object', '{"a":1}', /expected a result list .*got a fault at tasks/],
  ])('refuses %s with one clear line', async (_name, text, message) => {
    const file = join(folder, 'x.json');
    if (text !== undefined) await writeFile(file, text);
    await expect(readImport(file)).rejects.toThrow(ImportError);
    await expect(readImport(file)).rejects.toThrow(message);
  });
});

const real = resolve(
  import.meta.dirname,
  '../../../../shared/data/tau1-airline/trajectories_gpt-4o_even_tasks.json',
);

describe.skipIf(!existsSync(real))(
  'the 100 real airline rollouts (skipped where the reference data is absent)',
  () => {
    it('import whole, read back whole, and calibrate', async () => {
      const reading = await readImport(real);
      expect(reading.faults).toEqual([]);
      await writeImport(reading, join(folder, 'run'), 'real.json');
      const { records, faults } = await readRun(join(folder, 'run'));
      expect(faults).toEqual([]);
      expect(records).toHaveLength(100);
      // Counted in the source: 586 messages and 577 calls of the agent, 49 rewards of 1.
      const turns = records.flatMap(turnsOf);
      expect(turns.filter((turn) => turn.kind === 'message')).toHaveLength(586);
      expect(turns.filter((turn) => turn.kind === 'call' && turn.ok !== null)).toHaveLength(577);
      expect(turns.filter((turn) => turn.kind === 'call' && turn.ok === false)).toHaveLength(21);
      expect(records.filter((record) => record.outcome?.success)).toHaveLength(49);

      const { rounds, rewards } = calibrate(
        [records.flatMap((record) => rolloutOf(record) ?? [])],
        REWARD_TABLES.v5,
      );
      expect(rounds[0]).toMatchObject({ episodes: 100, tasks: 25, passing: 49 });
      expect(rewards.tiers.gold).toBeGreaterThan(0);
      expect(rewards.tiers.error).toBeLessThan(0);
    });

    it('give the same bytes every time', async () => {
      const text = async () =>
        (await readImport(real)).episodes.map(({ events }) =>
          events.map((e) => JSON.stringify(e)).join('\n'),
        );
      const [once, again] = [await text(), await text()];
      expect(once).toEqual(again);
      expect(parseEpisode(once[0] ?? '', 'f').faults).toEqual([]);
    });
  },
);
