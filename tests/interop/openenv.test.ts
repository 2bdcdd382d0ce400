import { describe, expect, it } from 'vitest';
import { builtInDomain } from '../../src/retail/index.js';
import { createScriptedCustomers } from '../../src/user/index.js';
import { testSandbox } from '../sandbox/helpers/sandbox.js';
import { envClient } from '../sandbox/openenv/helpers/env-client.js';
import { openEnvActions, oracleScript } from './helpers/oracle-script.js';
import { hasPython, PYTHON_TIMEOUT_MS, pythonFile, runInVenv } from './helpers/python.js';

const domain = builtInDomain();
const shop = { domain, customers: createScriptedCustomers() };

describe('a bare ws script', () => {
  it("finishes an episode over OpenEnv's socket with reward 1", async () => {
    const script = await oracleScript(domain);
    const { sandbox } = await testSandbox(shop);
    const client = await envClient(sandbox);
    const { task, seed } = script;
    let { data } = await client.ask({ type: 'reset', data: { task_id: task.id, seed } });
    for (const action of openEnvActions(script)) {
      expect(data.done).toBe(false);
      ({ data } = await client.ask({ type: 'step', data: { type: 'call_tool', ...action } }));
    }
    expect(data).toMatchObject({ done: true, reward: 1 });
  });
});

describe.skipIf(!hasPython)('the Python package openenv (needs scripts/interop-venv.sh)', () => {
  it(
    'finishes episodes with its generic client and with its tool client, written and spoken, each with reward 1',
    async () => {
      const modes = [
        ['text', 't-only'],
        ['speech', 's&t'],
      ] as const;
      const scripts = await Promise.all(modes.map(([mode]) => oracleScript(domain, mode)));
      const { sandbox, summaries } = await testSandbox(shop);
      const jobs = scripts.map((script, index) => ({
        base_url: `http://127.0.0.1:${sandbox.port}`,
        reset: { task_id: script.task.id, seed: script.seed, mode: modes[index]?.[1], episode_id: 'stock' },
        actions: openEnvActions(script),
      }));
      const run = await runInVenv('python', [pythonFile('openenv_clients.py')], JSON.stringify(jobs));
      expect(run.code, run.stderr).toBe(0);
      const answers = JSON.parse(run.stdout);
      for (const [index, { generic, mcp_tools: tools }] of answers.entries()) {
        for (const played of [generic, tools]) {
          expect(played).toMatchObject({
            done: true,
            reward: 1,
            metadata: { reward_info: { success: true } },
          });
          expect(played.tools).toEqual(expect.arrayContaining(['respond_to_user', 'done']));
        }
        expect(generic.state).toMatchObject({ episode_id: 'stock', done: true, reward: 1 });
        expect(generic.sounds.length > 0).toBe(index === 1);
        for (const seconds of generic.sounds) expect(seconds).toBeGreaterThan(0.1);
        expect(tools.steps).toBe(scripts[index]?.actions.length);
      }
      expect(summaries.map(({ outcome }) => outcome?.reward)).toEqual([1, 1, 1, 1]);
    },
    PYTHON_TIMEOUT_MS,
  );

  it(
    'passes `openenv validate --url` in both modes',
    async () => {
      const validate = async (mode: 'simulation' | 'production') => {
        const { sandbox } = await testSandbox({ openEnv: { mode } });
        const run = await runInVenv('openenv', ['validate', '--url', `http://127.0.0.1:${sandbox.port}`]);
        expect(run.stdout + run.stderr).toContain('Verdict: PASS');
        expect(run.stdout).toContain(`mode: ${mode}`);
        expect(run.code).toBe(0);
      };
      await Promise.all([validate('simulation'), validate('production')]);
    },
    PYTHON_TIMEOUT_MS,
  );
});
