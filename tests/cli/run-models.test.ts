import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readGenerations } from '../../src/episodes/index.js';
import { builtInDomain } from '../../src/retail/index.js';
import { MODEL, taskOfSession } from '../agents/openai-compatible/play.js';
import { customerChatPolicy } from '../helpers/customer-chat-policy.js';
import { oracleChatPolicy } from '../helpers/oracle-chat-policy.js';
import { type StrictChatServer, startStrictChatServer } from '../helpers/strict-chat-server.js';
import { cli } from '../helpers/terminal.js';

const work = mkdtempSync(join(tmpdir(), 'parlor-models-'));
const env = { PARLOR_CACHE_DIR: join(work, 'cache') };
const run = (args: readonly string[], more: Parameters<typeof cli>[1] = {}) =>
  cli(['run', '--trials', '1', '--no-report', '--json', ...args], { env, cwd: work, ...more });
const domain = builtInDomain();
const servers: StrictChatServer[] = [];
afterAll(async () => {
  for (const server of servers) await server.close();
});
async function serve(options: Partial<Parameters<typeof startStrictChatServer>[0]> = {}) {
  const server = await startStrictChatServer({ policy: oracleChatPolicy(domain, taskOfSession), ...options });
  servers.push(server);
  return server;
}

const passed = (stdout: string): number[] =>
  (JSON.parse(stdout) as { modes: { episodes: { passed: number } }[] }).modes.map(
    ({ episodes }) => episodes.passed,
  );
const recordsOf = (folder: string): Record<string, string> => {
  const dir = join(work, folder, 'episodes');
  return Object.fromEntries(readdirSync(dir).map((file) => [file, readFileSync(join(dir, file), 'utf8')]));
};

describe('parlor run --agent openai', () => {
  it('plays speech and text, keeps the exchanges, and plays them again without a server, byte for byte', async () => {
    const server = await serve({ apiKey: 'secret-key-1' });
    const where = ['--agent', 'openai', '--base-url', server.baseUrl, '--model', MODEL, '--token-ids'];
    const first = await run(
      ['--mode', 'both', '--tasks', '2', '--out', 'live', '--record', 'rec', ...where],
      {
        env: { ...env, PARLOR_API_KEY: 'secret-key-1' },
      },
    );
    expect(first.stderr).not.toContain('Error');
    expect(first.exitCode).toBe(0);
    expect(passed(first.stdout)).toEqual([2, 2]);
    const recording = readFileSync(join(work, 'rec/agent.jsonl'), 'utf8');
    expect(recording).not.toContain('secret-key-1');
    expect(recording).not.toContain('UklGR');

    await server.close();
    const again = await run([
      '--mode',
      'both',
      '--tasks',
      '2',
      '--out',
      'again',
      '--replay',
      'rec',
      '--agent',
      'openai',
      '--token-ids',
    ]);
    expect(again.exitCode).toBe(0);
    expect(recordsOf('again')).toEqual(recordsOf('live'));
    const manifest = (folder: string) => readFileSync(join(work, folder, 'run.json'), 'utf8');
    expect(manifest('again')).toBe(manifest('live'));

    const [episode] = Object.keys(recordsOf('live')).map((file) => file.replace('.jsonl', ''));
    const generations = (await readGenerations(join(work, 'live'), episode ?? '')) ?? [];
    expect(generations.length).toBeGreaterThan(3);
    for (const { prompt, usage, ids, logprobs, faults } of generations) {
      expect(prompt).toHaveLength(usage?.prompt ?? -1);
      expect(ids).toHaveLength(usage?.completion ?? -1);
      expect(logprobs).toHaveLength(ids?.length ?? -1);
      expect(faults).toEqual([]);
    }
  });

  it('a replay that asks something else says what differs', async () => {
    const result = await run([
      '--mode',
      'text',
      '--tasks',
      '1',
      '--out',
      'else',
      '--replay',
      'rec',
      '--agent',
      'openai',
      '--temperature',
      '0.3',
    ]);
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain('temperature is 0.3 now and not set there');
  });

  it.each<[string, string[], string]>([
    ['no address', ['--model', 'm'], 'the agent needs a model: give --base-url URL and --model NAME'],
    ['no model', ['--base-url', 'http://127.0.0.1:9/v1'], '--model NAME'],
    ['an address that is none', ['--base-url', 'nonsense', '--model', 'm'], '--base-url must be an address'],
    [
      'an unset key',
      ['--base-url', 'http://127.0.0.1:9/v1', '--model', 'm', '--api-key-env', 'NO_SUCH'],
      'NO_SUCH',
    ],
    ['a folder without a recording', ['--replay', 'nowhere'], 'nothing was recorded for the agent'],
    ['both record and replay', ['--replay', 'rec', '--record', 'r'], 'give one of them'],
  ])('%s is a usage error of one line', async (_what, args, words) => {
    const result = await run([
      '--mode',
      'text',
      '--tasks',
      '1',
      '--out',
      'never',
      '--agent',
      'openai',
      ...args,
    ]);
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain(words);
    expect(result.stderr.trim().split('\n')).toHaveLength(1);
    expect(existsSync(join(work, 'never'))).toBe(false);
  });

  it('plays customers by a model too, whose thoughts go nowhere; recorded and played again the same', async () => {
    const agents = oracleChatPolicy(domain, taskOfSession);
    const users = customerChatPolicy(domain);
    const server = await serve({
      policy: (request) => (request.session.startsWith('customer.') ? users(request) : agents(request)),
    });
    const args = ['--mode', 'text', '--tasks', '3', '--agent', 'openai', '--user', 'model'];
    const live = await run([
      ...[...args, '--base-url', server.baseUrl, '--model', MODEL, '--persona', 'varied'],
      ...['--out', 'both', '--record', 'rec-both'],
    ]);
    expect(live.exitCode).toBe(0);
    expect(passed(live.stdout)).toEqual([3]);
    expect(JSON.stringify(recordsOf('both'))).not.toContain('SECRET');
    const { customer } = JSON.parse(readFileSync(join(work, 'both/run.json'), 'utf8')) as {
      customer: string;
    };
    expect(customer).toMatch(/^model\/1 Qwen\/Qwen2.5-Omni-7B \(prompt [0-9a-f]{12}, persona varied\)$/);
    await server.close();
    const again = await run([...args, '--persona', 'varied', '--out', 'both-again', '--replay', 'rec-both']);
    expect(again.exitCode).toBe(0);
    expect(recordsOf('both-again')).toEqual(recordsOf('both'));
  });

  it('gives up in one line when the customer’s server refuses from some point on', async () => {
    const users = customerChatPolicy(domain);
    const server = await serve({
      policy: (request) => (request.session === 'preflight' ? { content: 'Yes.' } : users(request)),
      fault: (index) => (index < 8 ? null : { kind: 'status', status: 401 }),
    });
    const { exitCode, stderr, stdout } = await run([
      ...['--mode', 'text', '--tasks', '40', '--agent', 'oracle', '--user', 'model', '--concurrency', '1'],
      ...['--user-base-url', server.baseUrl, '--user-model', MODEL, '--out', 'outage'],
    ]);
    expect(exitCode).toBe(1);
    const line = stderr.split('\n').find((text) => text.includes('gave up')) ?? '';
    expect(line).toMatch(/13 attempts in a row, of 5 tasks, failed by no fault of the agent/);
    expect(line).toMatch(/customer_failed: .*401.*parlor run --resume outage/);
    // What was not played is left to do, not failed.
    expect(Object.keys(recordsOf('outage')).length).toBeLessThan(20);
    expect(JSON.parse(stdout).modes[0].episodes.planned).toBe(40);
  });

  it('a run that goes on keeps what its agent was made with', async () => {
    const server = await serve();
    const where = ['--base-url', server.baseUrl];
    await run([
      '--mode',
      'text',
      '--tasks',
      '1',
      '--out',
      'on',
      '--agent',
      'openai',
      '--model',
      MODEL,
      '--temperature',
      '0.4',
      ...where,
    ]);
    writeFileSync(join(work, 'on/episodes', Object.keys(recordsOf('on'))[0] ?? ''), '');
    const result = await run(['--resume', 'on', ...where]);
    expect(result.stderr).not.toContain('differ');
    expect(result.exitCode).toBe(0);
    expect(passed(result.stdout)).toEqual([1]);
  });
});
