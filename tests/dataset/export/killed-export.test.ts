import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/temporary-folder.js';
import { cli } from '../../helpers/terminal.js';
import { hashesIn } from '../helpers/export-run.js';
import { sampleRun } from '../helpers/sample-run.js';

const main = join(import.meta.dirname, '..', '..', '..', 'dist', 'cli', 'main.js');
const SHARDS_BEFORE = 5;

/** Shards that the state file of a running export names; 0 while there is none. */
function shardsDone(out: string): number {
  try {
    return (JSON.parse(readFileSync(join(out, '.export.json'), 'utf8')) as { done: unknown[] }).done.length;
  } catch {
    return 0;
  }
}

/** Runs an export as a process of its own and kills it, for good, once a few of its shards are there. */
async function exportAndKill(cwd: string, args: readonly string[], out: string): Promise<void> {
  mkdirSync(join(cwd, out));
  const watcher = watch(join(cwd, out));
  const child = spawn(process.execPath, [main, ...args, '--out', out], { cwd, stdio: 'ignore' });
  watcher.on('change', () => {
    if (shardsDone(join(cwd, out)) >= SHARDS_BEFORE) child.kill('SIGKILL');
  });
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  watcher.close();
  expect(signal, 'the export was over before it could be killed').toBe('SIGKILL');
}

describe('an export that is killed', () => {
  it('goes on with what is whole and ends with the bytes of one that never was', async () => {
    const cwd = temporaryFolder();
    await sampleRun({ tasks: 14, trials: 3, folder: cwd });
    const args = ['export', 'run', '--format', 'all', '--shard-rows', '2', '--validation', '0.2'];
    expect((await cli([...args, '--out', 'whole'], { cwd })).exitCode).toBe(0);
    await exportAndKill(cwd, args, 'killed');
    const before = shardsDone(join(cwd, 'killed'));
    expect(before).toBeGreaterThanOrEqual(SHARDS_BEFORE);
    expect(existsSync(join(cwd, 'killed/manifest.json'))).toBe(false);
    const other = await cli([...args, '--max-turns', '3', '--out', 'killed'], { cwd });
    expect(other).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('a part of another export') });
    expect((await cli([...args, '--out', 'killed'], { cwd })).exitCode).toBe(0);
    expect(hashesIn(join(cwd, 'killed'))).toEqual(hashesIn(join(cwd, 'whole')));
  }, 240_000);
});
