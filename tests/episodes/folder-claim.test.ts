import { fork, spawn } from 'node:child_process';
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

  it('of a dead holder goes to one of several processes that want it at the same moment', async () => {
    const code = `const { claimFolder } = await import(${JSON.stringify(resolve('dist/episodes/index.js'))});
      const { systemClock } = await import(${JSON.stringify(resolve('dist/shared/index.js'))});
      process.on('message', async (dir) => {
        const result = await claimFolder(dir, systemClock).then(() => 'got it', (error) => error.code);
        process.send(result);
      });
      process.send('ready');`;
    const file = join(temporaryFolder(), 'claimer.mjs');
    writeFileSync(file, code);
    const children = Array.from({ length: 4 }, () => fork(file));
    onTestFinished(() => children.forEach((child) => void child.kill('SIGKILL')));
    await Promise.all(children.map((child) => once(child, 'message')));
    for (let round = 0; round < 40; round += 1) {
      const dir = temporaryFolder();
      const path = join(dir, CLAIM_FILE);
      writeFileSync(path, JSON.stringify(elsewhere));
      age(path, 60);
      const answers = children.map((child) => once(child, 'message'));
      for (const child of children) child.send(dir);
      const results = (await Promise.all(answers)).map(([result]) => result);
      expect(results.sort()).toEqual(['folder-in-use', 'folder-in-use', 'folder-in-use', 'got it']);
      expect(readdirSync(dir)).toEqual([CLAIM_FILE]);
    }
  });

  it('is free when who was taking it over was killed in the middle', async () => {
    const dir = temporaryFolder();
    for (const name of [CLAIM_FILE, `${CLAIM_FILE}-vote`]) {
      writeFileSync(join(dir, name), JSON.stringify(elsewhere));
      age(join(dir, name), 60);
    }
    await claimed(dir);
    expect(readdirSync(dir)).toEqual([CLAIM_FILE]);
  });

  it.runIf(existsSync('/proc/self/stat'))(
    'is free when its process is dead and nobody has asked how it ended',
    async () => {
      const dir = temporaryFolder();
      // The shell becomes a program that never waits for its child.
      const parent = spawn('sh', ['-c', 'sh -c "read line" & echo $!; exec sleep 60']);
      onTestFinished(() => void parent.kill('SIGKILL'));
      const [printed] = await once(parent.stdout, 'data');
      const pid = Number(String(printed));
      const stat = (): string[] => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ');
      await expect.poll(() => stat()[2]).toBe('Z');
      const claim = await claimed(dir);
      const own = JSON.parse(readFileSync(join(dir, CLAIM_FILE), 'utf8'));
      await claim.release();
      writeFileSync(join(dir, CLAIM_FILE), JSON.stringify({ ...own, pid, start: stat()[21] }));
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
