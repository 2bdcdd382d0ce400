import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/temporary-folder.js';
import {
  projectRoot,
  runProgram,
  type ServedSandbox,
  serveSandbox,
  venvProgram,
  writeRightAnswers,
} from './helpers/served-sandbox.js';

const python = venvProgram('python');
const client = join(projectRoot, 'clients', 'python');

/** Without .venv-clients these are skipped; scripts/clients-venv.sh makes it. */
describe.skipIf(!existsSync(python))('the Python client (skipped without scripts/clients-venv.sh)', () => {
  let served: ServedSandbox;
  beforeAll(async () => {
    served = await serveSandbox('--turn-taking');
  });
  afterAll(() => served.stop());

  it('does what it promises against a real server', async () => {
    const answers = join(temporaryFolder(), 'tasks.json');
    writeRightAnswers(answers);
    const { code, output } = await runProgram(
      python,
      ['-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'],
      {
        cwd: client,
        env: { PARLOR_URL: served.url, PARLOR_TASKS: answers, PYTHONPATH: join(client, 'src') },
      },
    );
    expect(code, output).toBe(0);
    expect(Number(/Ran (\d+) tests/.exec(output)?.[1])).toBeGreaterThan(30);
    expect(output).not.toContain('skipped');
  }, 300_000);

  it('is typed: mypy --strict finds nothing', async () => {
    const { code, output } = await runProgram(venvProgram('mypy'), ['--no-incremental'], { cwd: client });
    expect(code, output).toBe(0);
  }, 120_000);
});
