import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readImport, readRun, writeImport } from '../../../src/episodes/index.js';
import { outcomeUnder, turnsOf } from '../../../src/scoring/index.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlor-import-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const task = {
  id: '7',
  description: { purpose: 'p' },
  user_scenario: {
    persona: null,
    instructions: {
      task_instructions: 'Be brief.',
      domain: 'retail',
      reason_for_call: 'Return it.',
      known_info: 'You are Ada.',
      unknown_info: null,
    },
  },
  evaluation_criteria: {
    actions: [
      { action_id: 'a', name: 'get_order_details', arguments: { order_id: '#W1' }, info: null },
      {
        action_id: 'b',
        name: 'return_delivered_order_items',
        arguments: { order_id: '#W1', item_ids: ['1'] },
      },
      { action_id: 'c', name: 'toggle', arguments: {}, requestor: 'user' },
    ],
    communicate_info: ['54.20'],
    nl_assertions: null,
    reward_basis: ['DB', 'COMMUNICATE'],
  },
};
const messages = [
  { role: 'assistant', content: 'Hi! How can I help you today?', turn_idx: 0, cost: 0 },
  { role: 'user', content: 'I return it', turn_idx: 1, cost: 0.1 },
  {
    role: 'assistant',
    content: 'Looking',
    turn_idx: 2,
    tool_calls: [
      { id: 'a', name: 'get_order_details', arguments: { order_id: '#W1' }, requestor: 'assistant' },
      {
        id: 'b',
        name: 'return_delivered_order_items',
        arguments: { order_id: '#W1', item_ids: ['1'] },
        requestor: 'assistant',
      },
    ],
  },
  { role: 'tool', id: 'b', content: '{"ok":1}', error: false, requestor: 'assistant' },
  { role: 'tool', id: 'a', content: 'Error-free text', error: true, requestor: 'assistant' },
  {
    role: 'user',
    content: null,
    tool_calls: [{ id: 'u', name: 'toggle', arguments: {}, requestor: 'user' }],
  },
  { role: 'tool', id: 'u', content: 'toggled', error: false, requestor: 'user' },
  { role: 'assistant', content: 'You get $54.20', raw_data: { id: 1 } },
  { role: 'user', content: '###STOP###' },
];
const rewardInfo = {
  reward: 1,
  db_check: { db_match: true, db_reward: 1 },
  action_checks: [
    { action: {}, action_match: true, action_reward: 1 },
    { action: {}, action_match: false, action_reward: 0 },
  ],
  communicate_checks: [{ info: '54.20', met: true, justification: '' }],
  nl_assertions: null,
  reward_basis: ['DB', 'COMMUNICATE'],
};
const simulation = (overrides: object = {}) => ({
  id: 's1',
  task_id: '7',
  trial: 0,
  seed: 11,
  termination_reason: 'user_stop',
  agent_cost: 0.2,
  reward_info: rewardInfo,
  messages,
  ...overrides,
});
const results = (simulations?: unknown[]) => ({
  timestamp: 'now',
  info: {
    max_steps: 100,
    max_errors: 10,
    agent_info: { implementation: 'llm_agent', llm: 'model-a', llm_args: { temperature: 0 } },
    user_info: { implementation: 'user_simulator', llm: 'model-u' },
    environment_info: { domain_name: 'retail', policy: '# Policy', tool_defs: null },
  },
  tasks: [task],
  ...(simulations === undefined ? {} : { simulations }),
});

async function importFile(content: unknown) {
  const file = join(folder, 'results.json');
  await writeFile(file, JSON.stringify(content));
  const reading = await readImport(file);
  await writeImport(reading, join(folder, 'run'), 'results.json');
  return { reading, ...(await readRun(join(folder, 'run'))) };
}

describe('a simulation of tau2-bench as an episode record', () => {
  it('keeps its turns, several calls of one message as several turns', async () => {
    const { records, faults } = await importFile(results([simulation()]));
    expect(faults).toEqual([]);
    const [record] = records;
    if (record === undefined) throw new Error('no record');
    expect(record.header).toMatchObject({
      episode: '7.text.t0.s11',
      agent: 'model-a',
      customer: 'model-u',
      rules: 'tau2',
      limits: { maxTurns: 100, maxErrors: 10 },
      task: { groundTruth: [{ name: 'get_order_details' }, { name: 'return_delivered_order_items' }] },
      imported: { domain: 'retail', termination: 'user_stop', greeting: 'Hi! How can I help you today?' },
    });
    expect(turnsOf(record)).toMatchObject([
      { turn: 1, kind: 'call', ok: false, content: 'Error-free text', reasoning: 'Looking' },
      { turn: 2, kind: 'call', ok: true, content: '{"ok":1}', reasoning: null },
      { turn: 3, kind: 'message', text: 'You get $54.20', customer: { text: '', end: 'stop' } },
    ]);
    expect(record.end?.reason).toBe('customer_stop');
  });

  it('keeps every part of the reward that is told', async () => {
    const { records } = await importFile(results([simulation()]));
    const [record] = records;
    expect(record?.outcome).toMatchObject({
      rule: 'tau2',
      success: true,
      scores: { database: 1, writes: 1, communicate: 1, actions: 0.5, assertions: null },
    });
    if (record === undefined) throw new Error('no record');
    expect(outcomeUnder(record, 'tau2')).toBe(1);
    const { database: _database, ...scores } = record.outcome?.scores ?? {};
    const untold = { ...record, outcome: { ...record.outcome, scores: { ...scores, database: null } } };
    expect(outcomeUnder(untold as typeof record, 'tau2')).toBeNull();
  });

  it("keeps fields that have no place, and the customer's own calls", async () => {
    const { records } = await importFile(results([simulation()]));
    expect(records[0]?.header.imported?.fields).toMatchObject({
      id: 's1',
      agent_cost: 0.2,
      reward_info: rewardInfo,
    });
    expect(records[0]?.header.imported?.messages).toMatchObject({
      1: { turn_idx: 1, cost: 0.1 },
      5: { tool_calls: [{ name: 'toggle' }] },
      6: { content: 'toggled' },
      7: { raw_data: { id: 1 } },
    });
    const summary = JSON.parse(await readFile(join(folder, 'run', 'import.json'), 'utf8'));
    expect(summary.fields).toMatchObject({
      timestamp: 'now',
      info: { agent_info: { llm_args: { temperature: 0 } } },
    });
    expect(summary.fields.tasks[0].description).toEqual({ purpose: 'p' });
  });

  it('without a reward has no outcome: missing, not 0', async () => {
    const { records } = await importFile(
      results([simulation({ reward_info: null, termination_reason: 'infrastructure_error' })]),
    );
    expect(records[0]?.outcome).toBeNull();
    expect(records[0]?.end).toMatchObject({ reason: 'platform_failed', owner: 'platform' });
  });

  it('is read from the folder form as well', async () => {
    const run = join(folder, 'voice-run');
    await mkdir(join(run, 'simulations'), { recursive: true });
    await writeFile(join(run, 'results.json'), JSON.stringify(results()));
    await writeFile(join(run, 'simulations', 's10.json'), JSON.stringify(simulation({ trial: 1 })));
    await writeFile(
      join(run, 'simulations', 's2.json'),
      JSON.stringify(simulation({ speech_environment: { noise: 'x' } })),
    );
    await writeFile(join(run, 'simulations', 's3.json'), '{');
    const { episodes, faults } = await readImport(run);
    expect(episodes.map(({ episode }) => episode)).toEqual(['7.speech.t0.s11', '7.text.t1.s11']);
    expect(faults.map(({ where }) => where)).toEqual(['simulation 1']);
  });

  it('names what it cannot read and goes on', async () => {
    const { reading, records } = await importFile(
      results([
        simulation({ task_id: 'nowhere' }),
        simulation({ messages: null, ticks: [] }),
        simulation({ termination_reason: 'sunshine' }),
        simulation(),
      ]),
    );
    expect(records).toHaveLength(1);
    expect(reading.faults.map(({ where, problem }) => `${where}: ${problem}`)).toEqual([
      expect.stringMatching(/^simulation 0 \(task nowhere, trial 0\): its task "nowhere" is not among/),
      expect.stringMatching(/full-duplex voice run keeps ticks/),
      expect.stringMatching(/expected a termination_reason of .*got "sunshine"/),
    ]);
  });

  it('refuses a format that it is not', async () => {
    const file = join(folder, 'results.json');
    await writeFile(file, JSON.stringify(results([])));
    await expect(readImport(file, { format: 'tau1' })).rejects.toThrow(
      /expected the format tau1; got no JSON list/,
    );
    await writeFile(file, '[]');
    await expect(readImport(file, { format: 'tau2' })).rejects.toThrow(/got a JSON list/);
  });
});
