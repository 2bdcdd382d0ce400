import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CLAIM_FILE, claimFolder, FolderInUseError } from '../../src/episodes/index.js';
import { createManualClock, systemClock } from '../../src/shared/index.js';
import { temporaryFolder } from '../helpers/temporary-folder.js';

const claimed = async (dir: string) => {
  const claim = await claimFolder(dir, createManualClock());
  onTestFinished(() => claim.release());
  return claim;
};

describe('a folder that is written into', () => {
  it('belongs to one writer at a time, and leaves no trace when it is released', async () => {
    const dir = join(temporaryFolder(), 'deep', 'run');
    const claim = await claimed(dir);
    const refused = claimFolder(dir, systemClock);
    await expect(refused).rejects.toThrow(FolderInUseError);
    await expect(refused).rejects.toThrow(`in use by process ${process.pid} on `);
    await claim.release();
    await claim.release();
    expect(readdirSync(dir)).toEqual([]);
    await claimed(dir);
  });

  it('has to be a folder', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    for (const dir of [file, join(file, 'run')])
      await expect(claimFolder(dir, systemClock)).rejects.toMatchObject({ code: 'run-folder-unusable' });
  });

  it('of many that try at once goes to one', async () => {
    const dir = temporaryFolder();
    const tried = await Promise.allSettled(Array.from({ length: 20 }, () => claimed(dir)));
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(readdirSync(dir)).toEqual([CLAIM_FILE]);
  });

  it('is free again when its process was killed, and goes to one of many that want it', async () => {
    const dir = temporaryFolder();
    const module = resolve('dist/episodes/index.js');
    const code = `const { claimFolder } = await import(${JSON.stringify(module)});
      const { systemClock } = await import(${JSON.stringify(resolve('dist/shared/index.js'))});
      await claimFolder(${JSON.stringify(dir)}, systemClock);
      console.log('claimed');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code]);
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    await expect(claimFolder(dir, systemClock)).rejects.toThrow(`process ${child.pid} on `);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const tried = await Promise.allSettled(Array.from({ length: 10 }, () => claimed(dir)));
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(readdirSync(dir)).toEqual([CLAIM_FILE]);
  });

  const elsewhere = { pid: 7, host: 'other-machine', place: 'another table', start: '1' };
  const age = (path: string, seconds: number): void => {
    const then = new Date(Date.now() - seconds * 1000);
    utimesSync(path, then, then);
  };

  it.each([
    ['on another machine', JSON.stringify(elsewhere), 'process 7 on other-machine'],
    ['that cannot be read', '{"pid":', 'another process'],
  ])('is left to a holder %s while that gives signs of life, for half a minute', async (_, lock, who) => {
    const dir = temporaryFolder();
    const path = join(dir, CLAIM_FILE);
    writeFileSync(path, lock);
    age(path, 10);
    await expect(claimFolder(dir, systemClock)).rejects.toThrow(who);
    age(path, 60);
    await claimed(dir);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
  });

  it.runIf(existsSync('/proc/self/stat'))(
    'is free when the number of its process went to another one',
    async () => {
      const dir = temporaryFolder();
      const path = join(dir, CLAIM_FILE);
      const claim = await claimed(dir);
      const own = JSON.parse(readFileSync(path, 'utf8'));
      await claim.release();
      writeFileSync(path, JSON.stringify({ ...own, start: '1' }));
      await claimed(dir);
    },
  );

  it('gives a sign of life every few seconds, and takes back no lock that is no longer its own', async () => {
    const dir = temporaryFolder();
    const path = join(dir, CLAIM_FILE);
    const clock = createManualClock();
    const claim = await claimFolder(dir, clock);
    const written = readFileSync(path, 'utf8');
    age(path, 60);
    const before = statSync(path).mtimeMs;
    clock.advance(5000);
    await expect.poll(() => statSync(path).mtimeMs).toBeGreaterThan(before);
    expect(readFileSync(path, 'utf8')).toBe(written);
    writeFileSync(path, JSON.stringify(elsewhere));
    await claim.release();
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(elsewhere);
  });
});
