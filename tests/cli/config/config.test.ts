import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../../src/cli/program.js';
import { AGENT_KINDS } from '../../../src/cli/running/agents.js';
import { builtInDomain } from '../../../src/retail/index.js';
import { MODEL, taskOfSession } from '../../agents/openai-compatible/play.js';
import { oracleChatPolicy } from '../../helpers/oracle-chat-policy.js';
import { startStrictChatServer } from '../../helpers/strict-chat-server.js';
import { cli } from '../../helpers/terminal.js';

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-config-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}
const FILE = 'parlor.config.json';

describe('settings', () => {
  it('come from flags, then the file, then the environment, and parlor config says from where', async () => {
    const cwd = folderWith({ [FILE]: '{"model":"from-file","trials":2,"think":true,"report":false}' });
    const env = { PARLOR_MODEL: 'from-env', PARLOR_BASE_URL: 'http://env/v1', PARLOR_TRIALS: '9' };
    const { stdout, exitCode } = await cli(['config', '--json'], { cwd, env });
    expect(exitCode).toBe(0);
    const { file, commands } = JSON.parse(stdout) as {
      file: string;
      commands: Record<string, { name: string; value: unknown; source: string }[]>;
    };
    expect(file).toBe(FILE);
    const held = Object.fromEntries(
      (commands.run ?? []).map(({ name, value, source }) => [name, [value, source]]),
    );
    expect(held).toEqual({
      ...{
        model: ['from-file', 'file'],
        trials: [2, 'file'],
        think: [true, 'file'],
        report: [false, 'file'],
      },
      baseUrl: ['http://env/v1', 'environment'],
    });
    expect((await cli(['config'], { cwd, env })).stdout).toMatch(
      /baseUrl +http:\/\/env\/v1 +PARLOR_BASE_URL/,
    );
  });

  it('a JavaScript file will do as well, and flags beat all: a whole run from a file', async () => {
    const server = await startStrictChatServer({ policy: oracleChatPolicy(builtInDomain(), taskOfSession) });
    const cwd = folderWith({
      'parlor.config.mjs': `export default ${JSON.stringify({ agent: 'openai', baseUrl: server.baseUrl, model: 'wrong', mode: 'text', trials: 1, tasks: 1 })};`,
    });
    const wrong = await cli(['run', '--out', 'a'], { cwd });
    expect(wrong.exitCode).toBe(1);
    expect(wrong.stderr).toContain('has no model "wrong"');
    const right = await cli(['run', '--out', 'b', '--model', MODEL, '--no-report'], { cwd });
    expect(right.exitCode).toBe(0);
    expect(right.stderr).toContain('takes tools');
    await server.close();
  });

  it('a TypeScript file is read on every Node, with types, imports and awaits; nothing is left beside it', () => {
    const cwd = folderWith({
      'parlor.config.ts': [
        "import { more } from './more.ts';",
        'enum Count { Three = 3 }',
        'interface Settings { readonly trials: number; readonly mode: string }',
        'const wait = async (): Promise<number> => more(Count.Three);',
        "export default { trials: await wait(), mode: 'text' } satisfies Settings;",
      ].join('\n'),
      'more.ts': 'export const more = (count: number): number => count + 1;\n',
    });
    const main = resolve('dist/cli/main.js');
    const { stdout, stderr } = spawnSync(process.execPath, [main, 'config'], { cwd, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/trials +4 +file/);
    expect(stdout).toMatch(/mode +text +file/);
    expect(readdirSync(cwd).toSorted()).toEqual(['more.ts', 'parlor.config.ts']);
  });

  it.each([
    ['export default {', 'cannot read'],
    ["throw new Error('no luck');", 'no luck'],
    ['export const trials = 3;', 'expected an object of settings'],
    ['export default { trials: [3] };', 'expected an object of settings'],
  ])('a TypeScript file that holds %j is told of in one line', async (text, words) => {
    const { exitCode, stderr } = await cli(['config'], { cwd: folderWith({ 'parlor.config.ts': text }) });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(words);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('a server in the file is no burden for the rule judge', async () => {
    const cwd = folderWith({ [FILE]: '{"baseUrl":"http://x/v1","model":"m"}' });
    const scoreOf = async (): Promise<string> => (await cli(['score', 'nowhere'], { cwd })).stderr;
    expect(await scoreOf()).not.toContain('--judge model');
  });

  it.each<[string, Record<string, string>, string]>([
    [
      'a name that does not exist',
      { [FILE]: '{"modell":"x"}' },
      'no setting "modell"; did you mean "model"?',
    ],
    [
      'a value that a flag would not take',
      { [FILE]: '{"trials":"many"}' },
      '--trials must be a whole number',
    ],
    ['a choice that does not exist', { [FILE]: '{"server":"other"}' }, 'Allowed choices'],
    ['no JSON', { [FILE]: '{' }, 'cannot read'],
    ['a list', { [FILE]: '[]' }, 'expected an object of settings'],
    ['nested settings', { [FILE]: '{"agent":{}}' }, 'at agent'],
    ['two files', { [FILE]: '{}', 'parlor.config.js': '' }, 'keep one of them'],
    ['a switch that is neither', { [FILE]: '{"think":"perhaps"}' }, 'must be true or false'],
  ])('%s is a usage error of one line', async (_what, files, words) => {
    const { exitCode, stderr } = await cli(['run'], { cwd: folderWith(files) });
    expect(stderr).toContain(words);
    expect(exitCode).toBe(2);
  });
});

describe('parlor agents', () => {
  it('lists every agent with a command that the command line takes', async () => {
    const { stdout } = await cli(['agents']);
    for (const { name, example } of AGENT_KINDS) {
      expect(stdout).toContain(example);
      expect(example).toContain(`--agent ${name}`);
      const run = createProgram({
        ...{
          out: () => undefined,
          err: () => undefined,
          isTty: false,
          columns: 80,
          colour: false,
          env: {},
          cwd: '',
        },
      }).commands.find((command) => command.name() === 'run');
      const { unknown } = run?.parseOptions(example.split(' ').slice(2)) ?? {};
      expect(unknown).toEqual([]);
    }
    expect(JSON.parse((await cli(['agents', '--json'])).stdout)).toHaveLength(AGENT_KINDS.length);
  });
});
