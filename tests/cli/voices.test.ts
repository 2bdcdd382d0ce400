import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasReferenceData, referencePath } from '../helpers/reference-data.js';
import { cli } from '../helpers/terminal.js';

const projectRoot = resolve(import.meta.dirname, '../..');
const work = mkdtempSync(join(tmpdir(), 'parlor-voices-'));
const env = { PARLOR_CACHE_DIR: join(work, 'cache') };
const run = (...args: string[]) => cli(['run', ...args], { env, cwd: work });

/** A folder with one built-in voice, and whatever else is given. */
function voicesFolder(name: string, more: Readonly<Record<string, object>> = {}): string {
  const folder = mkdtempSync(join(work, name));
  copyFileSync(join(projectRoot, 'voices/rms-even.json'), join(folder, 'rms-even.json'));
  for (const [id, change] of Object.entries(more)) {
    const voice = { id, description: 'A test.', licence: 'none', durationStretch: 1, pitchMeanHz: null };
    writeFileSync(join(folder, `${id}.json`), JSON.stringify({ ...voice, ...change }));
  }
  return folder;
}

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as Record<string, unknown>;
interface SpokenEvent {
  readonly type: string;
  readonly voice?: string;
  readonly effects?: { readonly entries: readonly { readonly kind: string }[] };
}
const eventsOf = (folder: string): SpokenEvent[] =>
  readdirSync(join(folder, 'episodes')).flatMap((file) =>
    readFileSync(join(folder, 'episodes', file), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as SpokenEvent),
  );

describe('parlor voices check', () => {
  it('lets each voice speak; one that seeds never choose may be missing', async () => {
    const absent = { engine: 'recorded', engineVoice: 'ann', cast: false };
    const folder = voicesFolder('check-', { ann: absent });
    const { exitCode, stdout } = await cli(['voices', 'check', '--voices', folder]);
    expect(stdout).toMatch(/^ann +not here expected recordings listed in .*ann/m);
    expect(stdout).toMatch(/^rms-even +ok +\d\.\d\d s, -\d\d dB$/m);
    expect(exitCode).toBe(0);
  });

  it('exits with 1 when one that seeds may choose is silent, also as JSON', async () => {
    const folder = voicesFolder('fails-', { ann: { engine: 'recorded', engineVoice: 'ann' } });
    const { exitCode, stdout } = await cli(['voices', 'check', '--voices', folder, '--json']);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject([
      { id: 'ann', cast: true, durationMs: null },
      { id: 'rms-even', fault: null },
    ]);
  });
});

describe('parlor say --spell', () => {
  it.each([
    ['letters', 'W, two three seven, eight one five, six'],
    ['nato', 'Whiskey, two three seven, eight one five, six'],
  ])('spells by %s', async (style, spoken) => {
    const { stdout } = await cli(['say', 'W2378156', '--spell', style, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ spoken: expect.stringContaining(spoken) });
  });
});

describe('parlor run --voices', () => {
  it('takes its voices from the folder, and a run that goes on still does', async () => {
    const voices = voicesFolder('run-');
    const out = join(work, 'with-voices');
    const first = await run(...['--tasks', '2', '--trials', '1', '--voices', voices, '--out', out]);
    expect(first.exitCode).toBe(0);
    expect(manifestOf(out)).toMatchObject({ voices, speech: expect.stringContaining('1 voices') });
    const before = readdirSync(join(out, 'episodes'));
    rmSync(join(out, 'episodes', before[0] ?? ''));
    const again = await run('--resume', out);
    expect({ exitCode: again.exitCode, stderr: again.stderr }).toMatchObject({ exitCode: 0 });
    expect(readdirSync(join(out, 'episodes'))).toEqual(before);
    const spoken = eventsOf(out).filter(({ type }) => type === 'episode');
    expect(spoken.map(({ voice }) => voice)).toEqual(['rms-even', 'rms-even']);
  }, 240_000);
});

describe('parlor run --voice-tasks', () => {
  it.skipIf(!hasReferenceData)(
    "gives each task its own conditions from tau2-bench's file, also when it goes on (needs the reference data)",
    async () => {
      const data = referencePath('data', 'tau2-retail');
      const file = join(data, 'tasks_voice.json');
      const out = join(work, 'voice-tasks');
      const args = ['--data', data, '--agent', 'oracle', '--trials', '1', '--tasks', '5,9'];
      const first = await run(...args, '--voice-tasks', file, '--conditions', 'control', '--out', out);
      expect({ exitCode: first.exitCode, stderr: first.stderr }).toMatchObject({ exitCode: 0 });
      expect(manifestOf(out)).toMatchObject({ voiceTasks: { file, complexity: 'control' } });
      const kinds = eventsOf(out).flatMap(({ effects }) => effects?.entries.map(({ kind }) => kind) ?? []);
      expect(kinds).toContain('telephony');
      expect(kinds).not.toContain('bed');
      const [episode = ''] = readdirSync(join(out, 'episodes'));
      const text = readFileSync(join(out, 'episodes', episode), 'utf8');
      rmSync(join(out, 'episodes', episode));
      expect((await run('--resume', out)).exitCode).toBe(0);
      expect(readFileSync(join(out, 'episodes', episode), 'utf8')).toBe(text);
    },
    240_000,
  );

  it('names a task that the file does not have, and a file that is none', async () => {
    const file = join(work, 'tasks_voice.json');
    writeFileSync(file, JSON.stringify({ base_seed: 1, configs: {} }));
    const unknown = await run('--tasks', '1', '--voice-tasks', file);
    expect(unknown).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('the voice tasks have no task'),
    });
    const other = await run('--tasks', '1', '--voice-tasks', join(projectRoot, 'package.json'));
    expect(other).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('this is no tasks_voice.json'),
    });
    const text = await run('--mode', 'text', '--voice-tasks', file);
    expect(text).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('need --mode speech or both'),
    });
  });
});
