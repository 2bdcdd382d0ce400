import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { smallWorldJson } from './small-retail-world.js';

const cancel = {
  name: 'cancel_pending_order',
  arguments: { order_id: '#W0000001', reason: 'no longer needed' },
};

export function tau2Task(id: string, parts: object = {}): object {
  return {
    id,
    description: { purpose: null },
    ticket: 'a field that nobody reads',
    user_scenario: {
      persona: null,
      instructions: {
        domain: 'retail',
        reason_for_call: 'You want to cancel #W0000001.',
        known_info: 'You are Wilma Dorn, zip 02139.',
        unknown_info: null,
        task_instructions: 'Be brief.',
      },
    },
    initial_state: null,
    evaluation_criteria: {
      actions: [{ action_id: `${id}_0`, ...cancel, info: null }],
      communicate_info: ['71'],
      nl_assertions: null,
      reward_basis: ['DB', 'NL_ASSERTION'],
    },
    ...parts,
  };
}

export function tau1Task(id: string, parts: object = {}): object {
  return {
    id,
    user_id: 'wilma_dorn_1',
    instruction: 'You are Wilma Dorn.',
    actions: [cancel],
    outputs: ['71'],
    ...parts,
  };
}

type Files = Record<string, unknown>;

/** Files of a small tau2-bench folder; JSON where the value is no string. */
export function tau2Files(): Files {
  return {
    'db.json': smallWorldJson,
    'tasks.json': [tau2Task('0'), tau2Task('1')],
    'split_tasks.json': { train: ['0'], test: ['1'], base: ['0', '1'] },
    'policy.md': '# Policy',
  };
}

export function tau1Files(): Files {
  return {
    'users.json': smallWorldJson.users,
    'products.json': smallWorldJson.products,
    'orders.json': smallWorldJson.orders,
    'tasks_test.json': [tau1Task('test-0')],
    'tasks_dev.json': [tau1Task('dev-0')],
    'wiki.md': '# Wiki',
  };
}

/** A folder for one test; it is removed when the test is over. */
export function writeFolder(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-data-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files))
    if (content !== undefined)
      writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return folder;
}
