import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli } from '../helpers/terminal.js';

/**
 * Whole paths, from the command line to the report, as a newcomer would run them. The reference data is never part of the project;
 * where it is absent these tests are skipped and say so.
 */
const data = resolve(import.meta.dirname, '../../../shared/data');
const hasData =
  existsSync(join(data, 'tau2-retail/db.json')) && existsSync(join(data, 'tau1-retail/orders.json'));
if (!hasData) console.warn('shown-by: ../shared/data is absent, the reference data scenarios are skipped');

let scratch = '';
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'parlor-scenarios-'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

interface EpisodeLine {
  readonly type: string;
  readonly success?: boolean;
  readonly reason?: string;
}

function outcomesOf(folder: string): Record<string, boolean> {
  const episodes = join(folder, 'episodes');
  return Object.fromEntries(
    readdirSync(episodes)
      .sort()
      .map((name) => {
        const lines = readFileSync(join(episodes, name), 'utf8').trimEnd().split('\n');
        const outcome = JSON.parse(lines.at(-1) ?? '{}') as EpisodeLine;
        expect(outcome.type, `${name} ends with its outcome`).toBe('outcome');
        return [name.replace(/\.(speech|text)\./, '.'), outcome.success === true];
      }),
  );
}

function bytesOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(join(folder, name)).toString('base64')]),
  );
}

async function run(name: string, args: readonly string[]): Promise<string> {
  const out = join(scratch, name);
  const result = await cli(['run', '--agent', 'oracle', '--out', out, '--no-report', ...args]);
  expect(result.stderr + result.stdout).not.toMatch(/\n\s+at .*\.(ts|js):/);
  expect(result.exitCode).toBe(0);
  return out;
}

describe.skipIf(!hasData)('the reference benchmarks', () => {
  it('tau2-bench test split: the oracle succeeds in all 40 tasks, in text and in speech alike', async () => {
    const flags = ['--data', join(data, 'tau2-retail'), '--split', 'test', '--trials', '1', '--faults', '0'];
    const text = outcomesOf(await run('tau2-text', [...flags, '--mode', 'text']));
    const speech = outcomesOf(await run('tau2-speech', [...flags, '--mode', 'speech']));
    expect(Object.keys(text)).toHaveLength(40);
    expect(Object.entries(text).filter(([, success]) => !success)).toEqual([]);
    expect(speech).toEqual(text);
  }, 300_000);

  it('tau-bench test split: the oracle succeeds in all 115 tasks', async () => {
    const flags = ['--data', join(data, 'tau1-retail'), '--split', 'test', '--trials', '1', '--faults', '0'];
    const text = outcomesOf(await run('tau1-text', [...flags, '--mode', 'text']));
    expect(Object.keys(text)).toHaveLength(115);
    expect(Object.entries(text).filter(([, success]) => !success)).toEqual([]);
  }, 300_000);
});

describe('the built-in world', () => {
  it('the same seed gives the same records and the same audio bytes, at any concurrency', async () => {
    const flags = ['--tasks', '4', '--trials', '2', '--mode', 'speech', '--faults', '0.5', '--seed', '3'];
    const first = await run('same-a', [...flags, '--concurrency', '1']);
    const second = await run('same-b', [...flags, '--concurrency', '5']);
    expect(bytesOf(join(second, 'episodes'))).toEqual(bytesOf(join(first, 'episodes')));
    expect(bytesOf(join(second, 'audio'))).toEqual(bytesOf(join(first, 'audio')));
  }, 300_000);

  it('with seeded faults pass^4 lies below pass^1, without them the oracle passes every task', async () => {
    const flags = ['--tasks', '60', '--mode', 'text', '--seed', '3'];
    const faulty = outcomesOf(await run('faulty', [...flags, '--trials', '4', '--faults', '0.5']));
    const byTask = new Map<string, boolean[]>();
    for (const [name, success] of Object.entries(faulty)) {
      const task = name.slice(0, 'eval-000'.length);
      byTask.set(task, [...(byTask.get(task) ?? []), success]);
    }
    const groups = [...byTask.values()];
    expect(groups.every((group) => group.length === 4)).toBe(true);
    const passOnce = groups.flat().filter(Boolean).length / (groups.length * 4);
    const passAll = groups.filter((group) => group.every(Boolean)).length / groups.length;
    expect(passOnce).toBeGreaterThan(0.2);
    expect(passOnce).toBeLessThan(0.95);
    expect(passAll).toBeLessThan(passOnce);

    const right = outcomesOf(await run('right', [...flags, '--trials', '1', '--faults', '0']));
    expect(Object.entries(right).filter(([, success]) => !success)).toEqual([]);
  }, 300_000);
});
