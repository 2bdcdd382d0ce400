import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { createScriptedCustomers } from '../../src/user/index.js';
import { smallDomain } from '../helpers/small-retail-world.js';
import { testSandbox } from '../sandbox/helpers/sandbox.js';
import { shopTasks } from './oracle/shop-tasks.js';

const example = resolve(import.meta.dirname, '..', '..', 'examples', 'plain-agent.js');

async function runExample(...args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [example, ...args]);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      output += data.toString();
    });
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return { code, output };
}

it('the example agent in plain JavaScript plays an episode and hands over', async () => {
  const { sandbox } = await testSandbox({
    domain: smallDomain('parlor', shopTasks),
    customers: createScriptedCustomers(),
  });
  for (const { id } of shopTasks) {
    const { code, output } = await runExample(sandbox.url, id);
    expect(output).toContain('find_user_id_by_name_zip ok');
    expect(output).toContain('the end:  transfer');
    expect(code, output).toBe(0);
  }
});

it('the example agent says what is wrong when no sandbox listens', async () => {
  const { code, output } = await runExample('ws://127.0.0.1:9/v1');
  expect(output).toContain('is `parlor serve` running?');
  expect(code).toBe(1);
});
