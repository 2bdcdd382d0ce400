import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareManifests } from '../../src/evaluation/manifest.js';
import {
  appendLabel,
  createRunFolder,
  isRunFolder,
  readLabels,
  readManifest,
  writeLabels,
} from '../../src/evaluation/run-folder.js';
import { makeManifest } from './helpers/records.js';

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'parlor-run-'));
const label = (episode: string) => ({
  type: 'label' as const,
  episode,
  task: 'a',
  mode: 'text' as const,
  trial: 0,
  faults: [],
});

describe('the run folder', () => {
  it('gives back the manifest it was made with, and leaves no half-written file', async () => {
    const folder = join(newFolder(), 'runs', 'one');
    expect(isRunFolder(folder)).toBe(false);
    await createRunFolder(folder, makeManifest());
    expect(isRunFolder(folder)).toBe(true);
    expect(await readManifest(folder)).toEqual(makeManifest());
    expect(readdirSync(folder).sort()).toEqual(['audio', 'episodes', 'run.json']);
  });

  it('has the same run.json for the same run', async () => {
    const [one, two] = [newFolder(), newFolder()];
    await createRunFolder(one, makeManifest());
    await createRunFolder(two, makeManifest());
    expect(readFileSync(join(one, 'run.json'))).toEqual(readFileSync(join(two, 'run.json')));
  });

  it('says what is wrong with a folder that holds no run', async () => {
    const folder = newFolder();
    await expect(readManifest(folder)).rejects.toThrow('it has no run.json');
    writeFileSync(join(folder, 'run.json'), '{"type":"run"');
    await expect(readManifest(folder)).rejects.toThrow('not JSON');
    writeFileSync(join(folder, 'run.json'), JSON.stringify({ ...makeManifest(), trials: 0 }));
    await expect(readManifest(folder)).rejects.toThrow('trials');
  });

  it('refuses a path that cannot be a folder', async () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    await expect(createRunFolder(file, makeManifest())).rejects.toMatchObject({ code: 'run-folder' });
  });

  it('reads labels back, without a torn last line and without rubbish', async () => {
    const folder = newFolder();
    expect(await readLabels(folder)).toEqual([]);
    await appendLabel(folder, label('one'));
    writeFileSync(join(folder, 'labels.jsonl'), 'rubbish\n{"type":"label","epis', { flag: 'a' });
    expect(await readLabels(folder)).toEqual([label('one')]);
    await writeLabels(folder, [label('two'), label('one')]);
    expect(await readLabels(folder)).toEqual([label('two'), label('one')]);
  });
});

describe('what may differ when a run goes on', () => {
  it('is nothing that decides its results', () => {
    const before = makeManifest();
    expect(compareManifests(before, makeManifest())).toEqual([]);
    expect(compareManifests(before, makeManifest({ seed: 4 }))).toEqual(['seed is 1 there and 4 now']);
    expect(
      compareManifests(before, {
        ...before,
        domain: { ...before.domain, worldHash: 'other' },
        agent: { ...before.agent, options: { faults: 0.5 } },
      }),
    ).toEqual([
      'agent.options.faults is not set there and 0.5 now',
      'domain.worldHash is "w" there and "other" now',
    ]);
  });

  it('is where the data lies', () => {
    expect(compareManifests(makeManifest({ data: 'x' }), makeManifest({ data: '../y' }))).toEqual([]);
  });
});
