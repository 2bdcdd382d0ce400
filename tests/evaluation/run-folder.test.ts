import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EpisodeRecord } from '../../src/episodes/index.js';
import { compareManifests, type RunManifest } from '../../src/evaluation/manifest.js';
import { createPlan } from '../../src/evaluation/plan.js';
import {
  appendLabel,
  loadRun,
  readLabels,
  readManifest,
  resumeRun,
  startRun,
  writeLabels,
} from '../../src/evaluation/run-folder.js';
import { makeManifest, makeRecord } from './helpers/records.js';

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'parlor-run-'));
const label = (episode: string) => ({
  type: 'label' as const,
  episode,
  task: 'a',
  mode: 'text' as const,
  trial: 0,
  faults: [],
});
const start = (dir: string, manifest: RunManifest = makeManifest()) =>
  startRun(dir, manifest, createPlan(manifest));
const keep = (dir: string, record: EpisodeRecord): void =>
  writeFileSync(
    join(dir, 'episodes', `${record.header.episode}.jsonl`),
    record.events.map((event) => `${JSON.stringify(event)}\n`).join(''),
  );

describe('a new run', () => {
  it('has a folder with its manifest and nothing half-written, and everything still to do', async () => {
    const dir = join(newFolder(), 'runs', 'one');
    const run = await start(dir);
    expect(run).toMatchObject({ finished: 0, remaining: createPlan(makeManifest()) });
    expect(await readManifest(dir)).toEqual(makeManifest());
    expect(new Set(readdirSync(dir))).toEqual(new Set(['audio', 'episodes', 'run.json']));
  });

  it('has the same run.json for the same plan', async () => {
    const [one, two] = [newFolder(), newFolder()];
    await start(one);
    await start(two);
    expect(readFileSync(join(one, 'run.json'))).toEqual(readFileSync(join(two, 'run.json')));
  });

  it('never goes into a folder that holds a run or anything else', async () => {
    const dir = newFolder();
    await start(dir);
    await expect(start(dir)).rejects.toThrow('holds a run already; go on with it by --resume');
    const other = newFolder();
    writeFileSync(join(other, 'thesis.txt'), '');
    await expect(start(other)).rejects.toThrow('not empty');
    await expect(start(join(other, 'thesis.txt'))).rejects.toMatchObject({ code: 'run-folder-unusable' });
  });
});

describe('a run that goes on', () => {
  it('has left to do what has no outcome and what the platform ended', async () => {
    const dir = newFolder();
    const manifest = makeManifest({ tasks: ['a', 'b', 'c', 'd'], trials: 1 });
    await start(dir, manifest);
    keep(dir, makeRecord({ task: 'a', success: false, reason: 'turn_limit' }));
    keep(dir, makeRecord({ task: 'b', torn: true }));
    keep(dir, makeRecord({ task: 'c', success: false, reason: 'shutdown' }));
    const run = await resumeRun(dir, manifest);
    expect(run.remaining.map((episode) => episode.task)).toEqual(['b', 'c', 'd']);
    expect(run.finished).toBe(1);
  });

  it('repeats an episode whose label was lost, where the agent labels its faults', async () => {
    const dir = newFolder();
    const manifest = makeManifest({ trials: 1, agent: { name: 'oracle', options: {}, labels: true } });
    await start(dir, manifest);
    const [a, b] = [makeRecord({ task: 'a' }), makeRecord({ task: 'b' })];
    keep(dir, a);
    keep(dir, b);
    await appendLabel(dir, label(a.header.episode));
    writeFileSync(join(dir, 'labels.jsonl'), '{"type":"label","epi', { flag: 'a' });
    expect((await resumeRun(dir, manifest)).remaining.map((episode) => episode.task)).toEqual(['b']);
    await appendLabel(dir, label(b.header.episode));
    expect(await readLabels(dir)).toEqual([label(a.header.episode), label(b.header.episode)]);
    expect((await resumeRun(dir, manifest)).remaining).toEqual([]);
  });

  it('refuses other options than it was started with', async () => {
    const dir = newFolder();
    await start(dir);
    await expect(resumeRun(dir, makeManifest({ seed: 9 }))).rejects.toMatchObject({
      code: 'resume-mismatch',
      message: expect.stringContaining('seed is 1 there and 9 now'),
    });
  });
});

describe('reading a run', () => {
  it('says what is wrong with a folder that holds none', async () => {
    const dir = newFolder();
    await expect(loadRun(dir)).rejects.toThrow('it has no run.json');
    writeFileSync(join(dir, 'run.json'), '{"type":"run"');
    await expect(loadRun(dir)).rejects.toThrow('not JSON');
    writeFileSync(join(dir, 'run.json'), JSON.stringify({ ...makeManifest(), trials: 0 }));
    await expect(loadRun(dir)).rejects.toThrow('trials');
  });

  it('gives records, labels in order of their episodes, and names broken files', async () => {
    const dir = newFolder();
    const { folder } = await start(dir);
    keep(dir, makeRecord({ task: 'a' }));
    writeFileSync(join(dir, 'episodes', 'broken.jsonl'), 'rubbish\n');
    await writeLabels(folder, [label('two'), label('one')]);
    const run = await loadRun(dir);
    expect(run.records).toHaveLength(1);
    expect(run.labels).toEqual([label('one'), label('two')]);
    expect(run.faults.length).toBeGreaterThan(0);
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
