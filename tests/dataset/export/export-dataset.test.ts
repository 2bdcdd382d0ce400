import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KEEP_ALL } from '../../../src/dataset/index.js';
import { readScores } from '../../../src/scoring/index.js';
import { temporaryFolder } from '../../helpers/temporary-folder.js';
import { exportRun, hashesIn, readLines } from '../helpers/export-run.js';
import { sampleRecords, sampleRun, writeRun } from '../helpers/sample-run.js';

interface ParlorRow {
  episode: string;
  outcomeReward: number;
  score: number;
  turns: { verdictReward: number; message: number }[];
  messages: { role: string; turn?: number; audio?: { path: string; sha256: string } | null }[];
}

function parlorRows(out: string): ParlorRow[] {
  return readLines(join(out, 'parlor/train-00000.jsonl')) as unknown as ParlorRow[];
}

describe('an export', () => {
  it('has one row per episode whose turn rewards and outcome part sum to S of the score file', async () => {
    const { dir, scores } = await sampleRun();
    const out = join(temporaryFolder(), 'data');
    await exportRun(dir, out, { scores });
    const rows = parlorRows(out);
    const lines = new Map(
      readScores(readFileSync(scores, 'utf8'), 'scores').lines.map((line) => [line.episode, line]),
    );
    expect(rows).toHaveLength(18);
    for (const row of rows) {
      const sum = row.turns.reduce((total, turn) => total + turn.verdictReward, row.outcomeReward);
      expect(sum).toBeCloseTo(lines.get(row.episode)?.score ?? Number.NaN, 9);
    }
  });

  it('binds every turn to the assistant message it was, and every message to its turn', async () => {
    const { dir, scores } = await sampleRun();
    const out = join(temporaryFolder(), 'data');
    await exportRun(dir, out, { scores });
    for (const { turns, messages } of parlorRows(out)) {
      const own = messages.flatMap(({ role }, place) => (role === 'assistant' ? [place] : []));
      expect(turns.map(({ message }) => message)).toEqual(own);
      expect(own.map((place) => messages[place]?.turn)).toEqual(turns.map((_, index) => index));
    }
  });

  it('stores each clip once by its content hash, and rows name that file', async () => {
    const { dir, scores } = await sampleRun();
    const out = join(temporaryFolder(), 'data');
    await exportRun(dir, out, { scores });
    const hashes = hashesIn(out);
    const clips = parlorRows(out).flatMap(({ messages }) =>
      messages.flatMap(({ audio }) => (audio ? [audio] : [])),
    );
    expect(clips.length).toBeGreaterThan(20);
    for (const { path, sha256 } of clips) expect(hashes[path]).toBe(sha256);
  });

  it('writes the same bytes twice, in any folder', async () => {
    const { dir, scores } = await sampleRun();
    const [one, two] = [join(temporaryFolder(), 'a'), join(temporaryFolder(), 'b')];
    await exportRun(dir, one, { scores });
    await exportRun(dir, two, { scores });
    expect(hashesIn(one)).toEqual(hashesIn(two));
  });

  it('goes on after it was broken off, at any row, and ends with the same bytes', async () => {
    const { dir, scores } = await sampleRun();
    const limits = { rows: 4, audioBytes: 1e9, validation: 0.4 };
    const whole = join(temporaryFolder(), 'whole');
    await exportRun(dir, whole, { scores, limits });
    for (const stopAfter of [1, 5, 13]) {
      const out = join(temporaryFolder(), 'broken');
      const stop = new AbortController();
      let rows = 0;
      const broken = exportRun(dir, out, {
        ...{ scores, limits, signal: stop.signal },
        onRow: () => {
          rows += 1;
          if (rows === stopAfter) stop.abort();
        },
      });
      await expect(broken).rejects.toThrow();
      expect(readdirSync(out)).not.toContain('manifest.json');
      let again = 0;
      await exportRun(dir, out, {
        scores,
        limits,
        onRow: () => {
          again += 1;
        },
      });
      expect(again).toBe(18 - 4 * Math.floor(stopAfter / 4));
      expect(hashesIn(out)).toEqual(hashesIn(whole));
    }
  });

  it('refuses a folder with a part of another export, and one that is finished', async () => {
    const { dir, scores } = await sampleRun();
    const out = join(temporaryFolder(), 'data');
    const stop = new AbortController();
    const limits = { rows: 4, audioBytes: 1e9, validation: 0 };
    let rows = 0;
    const onRow = (): void => {
      rows += 1;
      if (rows === 6) stop.abort();
    };
    await expect(exportRun(dir, out, { scores, limits, onRow, signal: stop.signal })).rejects.toThrow();
    await expect(exportRun(dir, out, { scores, limits: { ...limits, rows: 2 } })).rejects.toThrow(
      'a part of another export',
    );
    await exportRun(dir, out, { scores, limits });
    await expect(exportRun(dir, out, { scores })).rejects.toThrow('holds a finished dataset');
  });

  it('puts a task on one side only, however many of its episodes there are', async () => {
    const { dir, scores } = await sampleRun({ tasks: 12 });
    const out = join(temporaryFolder(), 'data');
    const manifest = await exportRun(dir, out, {
      ...{ scores, formats: ['parlor'], limits: { rows: 1000, audioBytes: 1e9, validation: 0.3 } },
    });
    const tasksOf = (split: string) =>
      new Set(readLines(join(out, `parlor/${split}-00000.jsonl`)).map((row) => row.taskHash as string));
    const [train, validation] = [tasksOf('train'), tasksOf('validation')];
    expect(train.size + validation.size).toBe(12);
    expect([...train].filter((hash) => validation.has(hash))).toEqual([]);
    expect(manifest.splitOverlap).toBe(0);
  });

  it('keeps some turns of a speech episode as text when asked, the same ones every time', async () => {
    const { dir, scores } = await sampleRun();
    const [one, two] = [join(temporaryFolder(), 'a'), join(temporaryFolder(), 'b')];
    await exportRun(dir, one, { scores, formats: ['parlor'], speechTurns: 0.5 });
    await exportRun(dir, two, { scores, formats: ['parlor'], speechTurns: 0.5 });
    const users = parlorRows(one).flatMap(({ messages }) => messages.filter(({ role }) => role === 'user'));
    const heard = users.filter(({ audio }) => audio != null).length;
    expect(heard).toBeGreaterThan(0);
    expect(heard).toBeLessThan(users.length / 2);
    expect(hashesIn(one)).toEqual(hashesIn(two));
  });

  it('refuses to train on evaluation tasks, by split name and by the content of a built-in one', async () => {
    const { dir, scores } = await sampleRun({ splits: ['test'] });
    const out = join(temporaryFolder(), 'data');
    await expect(exportRun(dir, out, { scores })).rejects.toMatchObject({ code: 'evaluation-tasks' });
    const manifest = await exportRun(dir, out, { scores, purpose: 'eval' });
    expect(manifest.tasks.evaluation).toBe(3);
  });

  it('names a damaged clip, a run that is none, and scores of another run', async () => {
    const { dir, scores } = await sampleRun();
    const out = join(temporaryFolder(), 'data');
    await expect(exportRun(join(dir, 'nowhere'), out)).rejects.toMatchObject({ code: 'dataset-source' });
    const clip = readdirSync(join(dir, 'audio'))[0] ?? '';
    writeFileSync(join(dir, 'audio', clip), 'not sound');
    await expect(exportRun(dir, out, { scores })).rejects.toThrow('does not hold what its name says');
  });

  it('writes no secret and nothing of this machine', async () => {
    const secret = await sampleRun({ words: [`my key is sk-${'a1'.repeat(20)}`, 'yes', 'thanks'] });
    const out = join(temporaryFolder(), 'data');
    const failure = exportRun(secret.dir, out, { scores: secret.scores });
    await expect(failure).rejects.toMatchObject({ code: 'private-data' });
    await expect(failure).rejects.not.toThrow('a1a1');
    const path = await sampleRun({ words: ['look in /srv/people/"me" please', 'yes'] });
    await expect(
      exportRun(path.dir, join(temporaryFolder(), 'data'), {
        ...{ scores: path.scores, privateTexts: [{ what: 'the home folder', text: '/srv/people/"me"' }] },
      }),
    ).rejects.toThrow('the home folder');
  });

  it('counts what each filter removed, in order', async () => {
    const { dir, scores } = await sampleRun();
    const filters = {
      ...KEEP_ALL,
      modes: ['text'],
      outcome: 'pass' as const,
      dropDuplicates: true,
      minTurns: 6,
    };
    const manifest = await exportRun(dir, join(temporaryFolder(), 'data'), { scores, filters });
    expect(manifest.filters.map(({ removed }) => removed)).toEqual([0, 0, 12, 0, 3, 0, 0]);
    expect(manifest.statistics.episodes).toBe(3);
  });

  it('labels live-judged episodes, and leaves them out when asked, counted', async () => {
    const { records, clips } = sampleRecords({ tasks: 2 });
    const judged = records.map((record, place) => {
      if (place % 3 !== 0) return record;
      const header = { ...record.header, liveJudge: 'rules/2' };
      return { ...record, header, events: [header, ...record.events.slice(1)] };
    });
    const dir = join(temporaryFolder(), 'run');
    writeRun(dir, judged, clips);
    const out = join(temporaryFolder(), 'data');
    const manifest = await exportRun(dir, out, { formats: ['parlor', 'trl'] });
    expect(manifest.statistics).toMatchObject({ episodes: 12, liveJudged: 4 });
    const labels = readLines(join(out, 'parlor/train-00000.jsonl')).map(({ liveJudge }) => liveJudge);
    expect(labels.filter((label) => label === 'rules/2')).toHaveLength(4);
    expect(labels.filter((label) => label === null)).toHaveLength(8);
    const rows = readLines(join(out, 'trl/train-00000.jsonl'));
    expect(rows.filter((row) => row.live_judge === 'rules/2')).toHaveLength(4);
    const without = await exportRun(dir, join(temporaryFolder(), 'without'), {
      filters: { ...KEEP_ALL, dropLiveJudged: true },
      formats: ['parlor'],
    });
    expect(without.statistics).toMatchObject({ episodes: 8, liveJudged: 0 });
    expect(without.filters).toContainEqual({ rule: 'live-judged: a judge could break in', removed: 4 });
  });
});
