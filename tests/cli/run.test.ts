import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli } from '../helpers/terminal.js';

const projectRoot = resolve(import.meta.dirname, '../..');
const work = mkdtempSync(join(tmpdir(), 'parlor-cli-'));
const env = { PARLOR_CACHE_DIR: join(work, 'cache') };
const run = (args: readonly string[], more: Parameters<typeof cli>[1] = {}) =>
  cli(['run', ...args], { env, cwd: work, ...more });

let folders = 0;
function newFolder(): string {
  folders += 1;
  return join(work, `run-${folders}`);
}

/** Every file below the folder with its content, except the clock's. */
function contentOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !file.endsWith('timings.jsonl'))
      .map((file) => [file.slice(folder.length), readFileSync(file, 'base64')]),
  );
}

interface AudioRef {
  sha256: string;
}

interface Document {
  manifest: { tasks: string[] };
  modes: {
    mode: string;
    episodes: Record<string, number>;
    pass: { k: number; combinatorial: { mean: number } }[];
    tasks: unknown;
  }[];
  pairs: { compared: number; same: number } | null;
}

const parse = (stdout: string): Document => JSON.parse(stdout) as Document;
/** What must not depend on how often a run was interrupted. */
const results = (stdout: string) => {
  const { folder: _folder, report: _report, ...rest } = JSON.parse(stdout) as Record<string, unknown>;
  return rest;
};

describe('parlor run', () => {
  it('plays built-in tasks in text and leaves a folder with everything in it', async () => {
    const out = newFolder();
    const result = await run([
      '--mode',
      'text',
      '--tasks',
      '3',
      '--trials',
      '2',
      '--agent',
      'oracle',
      '--out',
      out,
    ]);
    expect(result.stdout).toContain('6 of 6 episodes, 6 passed, 0 failed, 0 invalid');
    expect(result.stdout).toContain('not a model');
    expect(result.exitCode).toBe(0);
    expect(new Set(readdirSync(out))).toEqual(
      new Set([
        'run.json',
        'policy.md',
        'tools.json',
        'episodes',
        'audio',
        'labels.jsonl',
        'timings.jsonl',
        'report.html',
      ]),
    );
    expect(readdirSync(join(out, 'episodes'))).toHaveLength(6);
  });

  it('speaks: both modes give the same outcomes, every customer line of the spoken ones has its clip', async () => {
    const out = newFolder();
    const result = await run([
      ...['--mode', 'both', '--tasks', '2', '--trials', '1', '--agent', 'oracle', '--out', out],
      '--json',
    ]);
    expect(result.exitCode).toBe(0);
    const { modes, pairs } = parse(result.stdout);
    expect(modes.map((mode) => mode.mode)).toEqual(['speech', 'text']);
    expect(pairs).toMatchObject({ compared: 2, same: 2 });
    const clips = new Set(readdirSync(join(out, 'audio')));
    const spoken = readdirSync(join(out, 'episodes'))
      .filter((file) => file.includes('.speech.'))
      .flatMap((file) =>
        readFileSync(join(out, 'episodes', file), 'utf8')
          .trim()
          .split('\n'),
      )
      .map((line) => JSON.parse(line) as { type: string; text: string; audio: { sha256: string } | null })
      .filter((event) => event.type === 'customer' && event.text !== '');
    expect(spoken.length).toBeGreaterThan(2);
    for (const event of spoken) expect(clips).toContain(`${event.audio?.sha256}.wav`);
  });

  it('gives the same bytes for the same seed at any concurrency, report included', async () => {
    const [one, two] = [newFolder(), newFolder()];
    const args = ['--tasks', '2', '--trials', '2', '--faults', '0.5', '--seed', '3'];
    await run([...args, '--out', one, '--concurrency', '1']);
    await run([...args, '--out', two, '--concurrency', '8']);
    expect(contentOf(one)).toEqual(contentOf(two));
  });

  it('under conditions: the same bytes at any concurrency, the clean clip beside the heard one, and a resumed run keeps them', async () => {
    const [one, two] = [newFolder(), newFolder()];
    const args = ['--tasks', '2', '--trials', '1', '--seed', '4', '--conditions', 'regular'];
    await run([...args, '--out', one, '--concurrency', '1']);
    await run([...args, '--out', two, '--concurrency', '6']);
    expect(contentOf(one)).toEqual(contentOf(two));
    const [episode] = readdirSync(join(one, 'episodes'));
    const events = readFileSync(join(one, 'episodes', episode ?? ''), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; text?: string; clean?: AudioRef; audio?: AudioRef });
    const lines = events.filter(({ type, text }) => type === 'customer' && text !== '');
    expect(lines.length).toBeGreaterThan(0);
    for (const { audio, clean } of lines) {
      expect(audio?.sha256).not.toBe(clean?.sha256);
      for (const ref of [audio, clean])
        expect(readFileSync(join(one, 'audio', `${ref?.sha256}.wav`)).length).toBeGreaterThan(1000);
    }
    const path = (folder: string) => join(folder, 'episodes', episode ?? '');
    rmSync(path(two));
    await run(['--resume', two]);
    expect(readFileSync(path(two), 'utf8') === readFileSync(path(one), 'utf8')).toBe(true);
    const text = await run([...args, '--mode', 'text']);
    expect(text.exitCode).toBe(2);
    expect(text.stderr).toContain('change how the customer sounds');
  });

  it('goes on after damage and ends with the results of an undamaged run', async () => {
    const whole = newFolder();
    const args = [
      '--mode',
      'text',
      '--tasks',
      '4',
      '--trials',
      '3',
      '--faults',
      '0.5',
      '--seed',
      '3',
      '--json',
    ];
    const first = await run([...args, '--out', whole]);
    const damaged = newFolder();
    cpSync(whole, damaged, { recursive: true });
    rmSync(join(damaged, 'report.html'));
    const [gone, torn] = readdirSync(join(damaged, 'episodes'));
    rmSync(join(damaged, 'episodes', gone ?? ''));
    truncateSync(join(damaged, 'episodes', torn ?? ''), 3000);
    const resumed = await run(['--resume', damaged, '--json']);
    expect(resumed.exitCode).toBe(0);
    expect(results(resumed.stdout)).toEqual(results(first.stdout));
    expect(resumed.stderr).toContain('2 episodes to run');
  });

  it('goes on after kill -9', async () => {
    const [whole, killed] = [newFolder(), newFolder()];
    const args = ['run', '--mode', 'text', '--tasks', '6', '--trials', '4', '--faults', '0.5', '--seed', '5'];
    const first = await cli([...args, '--out', whole, '--json'], { env, cwd: work });
    mkdirSync(join(killed, 'episodes'), { recursive: true });
    rmSync(killed, { recursive: true });
    const child = spawn(
      process.execPath,
      [join(projectRoot, 'dist/cli/main.js'), ...args, '--out', killed, '--concurrency', '1'],
      { cwd: work, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const exited = new Promise((done) => child.once('exit', done));
    // It says so once the folder is there.
    await new Promise<void>((done) => {
      child.stderr.on('data', (text: Buffer) => {
        if (text.includes('episodes to run')) done();
      });
    });
    await new Promise<void>((done) => {
      const watcher = watch(join(killed, 'episodes'), () => {
        if (readdirSync(join(killed, 'episodes')).length < 3) return;
        watcher.close();
        done();
      });
    });
    child.kill('SIGKILL');
    await exited;
    const resumed = await cli(['run', '--resume', killed, '--json'], { env, cwd: work });
    expect(resumed.exitCode).toBe(0);
    expect(results(resumed.stdout)).toEqual(results(first.stdout));
  });

  it('shows seeded faults: pass^4 is below pass^1', async () => {
    const result = await run([
      ...['--mode', 'text', '--tasks', '10', '--faults', '0.5', '--seed', '3', '--no-report', '--json'],
      ...['--out', newFolder()],
    ]);
    const pass = parse(result.stdout).modes[0]?.pass.map((row) => row.combinatorial.mean) ?? [];
    expect(pass).toHaveLength(4);
    expect(pass[3]).toBeLessThan(pass[0] ?? 0);
  });

  it('stops at Ctrl-C, says how to go on, and goes on', async () => {
    const out = newFolder();
    const args = ['--mode', 'text', '--tasks', '8', '--trials', '4', '--concurrency', '1'];
    const stopped = await run([...args, '--out', out], {
      onInterrupt: (handler) => {
        setImmediate(handler);
        return () => {};
      },
    });
    expect(stopped.exitCode).toBe(130);
    expect(stopped.stderr).toMatch(/\d+ episodes are left\. Go on with: parlor run --resume run-/);
    const resumed = await run(['--resume', out, '--json']);
    expect(resumed.exitCode).toBe(0);
    expect(parse(resumed.stdout).modes[0]?.episodes).toMatchObject({ planned: 32, finished: 32 });
  });
});

describe('parlor report', () => {
  it('makes table and page again from the records', async () => {
    const out = newFolder();
    const first = await run(['--mode', 'text', '--tasks', '2', '--trials', '1', '--json', '--out', out]);
    const page = readFileSync(join(out, 'report.html'));
    rmSync(join(out, 'report.html'));
    const again = await cli(['report', out, '--json'], { cwd: work });
    expect(results(again.stdout)).toEqual(results(first.stdout));
    expect(readFileSync(join(out, 'report.html'))).toEqual(page);
  });
});

describe('wrong usage of parlor run', () => {
  const truncated = join(work, 'truncated');
  mkdirSync(truncated);
  writeFileSync(join(truncated, 'db.json'), '{"users": {"a');
  for (const [name, text] of [
    ['tasks.json', '[]'],
    ['split_tasks.json', '{}'],
    ['policy.md', '#'],
  ] as const)
    writeFileSync(join(truncated, name), text);
  const occupied = join(work, 'occupied');
  mkdirSync(occupied);
  writeFileSync(join(occupied, 'thesis.txt'), '');

  it.each<[string, string[], RegExp]>([
    ['a missing folder', ['--data', 'nowhere'], /nowhere/],
    ['a truncated db.json', ['--data', truncated], /db\.json/],
    ['an unknown task', ['--tasks', 'no-such-task,'], /no task "no-such-task"/],
    ['an unknown split', ['--split', 'tset'], /no split "tset"/],
    ['no trials', ['--trials', '0'], /--trials must be a whole number from 1/],
    ['no tasks', ['--tasks', '0'], /--tasks must be at least 1/],
    ['a mode that is none', ['--mode', 'voice'], /--mode must be one of/],
    ['a share above one', ['--faults', '1.5'], /--faults must be a number from 0 to 1/],
    ['a negative seed', ['--seed', '-1'], /--seed must be a whole number/],
    ['an unknown agent', ['--agent', 'nobody'], /no agent "nobody"; choose one of oracle/],
    ['an output folder that holds other things', ['--out', occupied], /not empty/],
    ['an output path that is a file', ['--out', join(occupied, 'thesis.txt')], /thesis\.txt/],
    ['a run that is not there', ['--resume', 'nowhere'], /no run in/],
    ['both --out and --resume', ['--out', 'a', '--resume', 'b'], /give one of them/],
  ])('%s: one clear line, exit code 2, no stack trace', async (_name, args, message) => {
    const result = await run(['--mode', 'text', ...args]);
    expect(result.stderr).toMatch(message);
    expect(result.stderr.trim().split('\n')).toHaveLength(1);
    expect(result.stderr).not.toMatch(/\n\s+at /);
    expect(result.stdout).toBe('');
    expect(result.exitCode).toBe(2);
  });

  it('a port in use', async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const result = await run(['--mode', 'text', '--port', String(port), '--out', newFolder()]);
    server.close();
    expect(result.stderr).toContain('the port is in use');
    expect(result.stderr).not.toMatch(/\n\s+at /);
    expect(result.exitCode).toBe(2);
  });

  it('a run that must not be written over, and one that was started differently', async () => {
    const out = newFolder();
    await run(['--mode', 'text', '--tasks', '1', '--trials', '1', '--no-report', '--out', out]);
    const again = await run(['--mode', 'text', '--tasks', '1', '--trials', '1', '--out', out]);
    expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining('holds a run already')]);
    const other = await run(['--resume', out, '--seed', '9']);
    expect([other.exitCode, other.stderr]).toEqual([2, expect.stringContaining('seed is 1 there and 9 now')]);
  });
});
