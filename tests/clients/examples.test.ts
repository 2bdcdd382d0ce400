import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ProgramResult,
  projectRoot,
  runProgram,
  type ServedSandbox,
  serveSandbox,
  venvProgram,
} from './helpers/served-sandbox.js';

let served: ServedSandbox;
beforeAll(async () => {
  served = await serveSandbox('--mode', 'text');
});
afterAll(() => served.stop());

function expectHandOver({ code, output }: ProgramResult): void {
  expect(output).toContain('find_user_id_by_name_zip ok');
  expect(output).toContain('the end:  transfer');
  expect(code, output).toBe(0);
}

describe('the example agents play an episode and hand over', () => {
  it('in plain JavaScript with nothing but ws', async () => {
    const example = join(projectRoot, 'examples', 'plain-agent.js');
    expectHandOver(await runProgram(process.execPath, [example, served.url, 'eval-002']));
  });

  it.skipIf(!existsSync(venvProgram('python')))(
    'in Python (skipped without scripts/clients-venv.sh)',
    async () => {
      const example = join(projectRoot, 'examples', 'python', 'plain_agent.py');
      expectHandOver(await runProgram(venvProgram('python'), [example, served.url, 'eval-002']));
    },
  );
});
