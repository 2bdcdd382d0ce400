import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createMemoryRecords,
  openRunFolder,
  parseEpisode,
  type RecordSink,
  readEpisode,
  readRun,
} from '../../src/episodes/index.js';
import { sha256Hex } from '../../src/shared/index.js';
import { sampleEvents } from '../helpers/records.js';
import { temporaryFolder } from '../helpers/temporary-folder.js';

async function writeSample(sink: RecordSink): Promise<void> {
  for (const event of sampleEvents(sink.episode)) sink.append(event);
  await sink.finish();
}

describe('a run folder', () => {
  it('gives back what was written, an attempt at a time', async () => {
    const dir = temporaryFolder();
    const folder = await openRunFolder(join(dir, 'deep', 'run'));
    for (const name of ['b.text.t0.s1', 'b.text.t0.s1', 'a.text.t10.s1', 'a.text.t9.s1'])
      await writeSample(folder.open(name));
    const { records, faults } = await readRun(folder.dir);
    expect(faults).toEqual([]);
    expect(records.map((record) => record.header.episode)).toEqual([
      'a.text.t9.s1',
      'a.text.t10.s1',
      'b.text.t0.s1',
      'b.text.t0.s1~2',
    ]);
    expect(records[0]?.events).toEqual(sampleEvents('a.text.t9.s1'));
    expect(records[0]?.outcome?.reward).toBe(1);
  });

  it('shows every line the moment it is added, and keeps it when the process dies there', async () => {
    const folder = await openRunFolder(temporaryFolder());
    const sink = folder.open('a');
    for (const [index, event] of sampleEvents('a').entries()) {
      sink.append(event);
      const { record, faults } = await readEpisode(folder.paths.episode('a'));
      expect(faults).toEqual([]);
      expect(record?.events).toHaveLength(index + 1);
    }
    await sink.finish();
    await sink.finish();
    expect(() => sink.append(sampleEvents('a')[1] as never)).toThrow(/closed/);
  });

  it('never throws and never loses a finished line, wherever the file is cut', async () => {
    const folder = await openRunFolder(temporaryFolder());
    await writeSample(folder.open('a'));
    const bytes = readFileSync(folder.paths.episode('a'));
    for (let length = 0; length <= bytes.length; length += 1) {
      const cut = bytes.subarray(0, length);
      const { record, faults } = parseEpisode(cut.toString('utf8'), 'a');
      const wholeLines = cut.filter((byte) => byte === 10).length;
      // A line that lacks nothing but its newline is whole.
      const events = record?.events.length ?? 0;
      expect(events === wholeLines || (events === wholeLines + 1 && bytes[length] === 10)).toBe(true);
      expect(record?.outcome != null).toBe(length >= bytes.length - 1);
      expect(faults.length <= 2).toBe(true);
    }
  });

  it('leaves out broken lines and says which', async () => {
    const [header, ...rest] = sampleEvents('a').map((event) => JSON.stringify(event));
    const text = [header, '{"type":"customer"}', 'rubbish', '[]', header, ...rest, rest[0]].join('\n');
    const { record, faults } = parseEpisode(`${text}\n`, 'f');
    expect(record?.events).toEqual(sampleEvents('a'));
    expect(faults.map((fault) => fault.line)).toEqual([2, 3, 4, 5, 13]);
    expect(faults[0]?.problem).toMatch(/^at turn: /);
  });

  it('has no record without a header, in a missing file or in a folder', async () => {
    const dir = temporaryFolder();
    expect((await readEpisode(join(dir, 'none.jsonl'))).record).toBeNull();
    const headless = sampleEvents('a').slice(1);
    const reading = parseEpisode(headless.map((event) => JSON.stringify(event)).join('\n'), 'f');
    expect(reading.record).toBeNull();
    expect(reading.faults.at(-1)?.problem).toMatch(/no header/);
    expect((await readEpisode(dir)).record).toBeNull();
  });

  it('does not count a copied file twice and passes over what is no record', async () => {
    const folder = await openRunFolder(temporaryFolder());
    await writeSample(folder.open('a'));
    copyFileSync(folder.paths.episode('a'), folder.paths.episode('a copy'));
    writeFileSync(folder.paths.episode('noise'), Buffer.from([0, 255, 10, 13, 200]));
    writeFileSync(join(folder.paths.episodes, 'notes.txt'), 'x');
    const { records, faults } = await readRun(folder.dir);
    expect(records).toHaveLength(1);
    expect(faults.some((fault) => fault.problem.includes('its name says a copy'))).toBe(true);
  });

  it('keeps a clip once under its content hash and refuses a wrong hash', async () => {
    const folder = await openRunFolder(temporaryFolder());
    const sink = folder.open('a');
    const wav = new Uint8Array([1, 2, 3]);
    const sha256 = sha256Hex(wav);
    await Promise.all([
      sink.audio(sha256, wav),
      sink.audio(sha256, wav),
      folder.open('b').audio(sha256, wav),
    ]);
    expect(readdirSync(folder.paths.audio)).toEqual([`${sha256}.wav`]);
    await expect(sink.audio('0'.repeat(64), wav)).rejects.toMatchObject({ code: 'record-failed' });
    await sink.finish();
  });

  it('refuses an event that does not fit the schema and stays whole', async () => {
    const folder = await openRunFolder(temporaryFolder());
    const sink = folder.open('a');
    expect(() => sink.append({ type: 'end', turn: -1 } as never)).toThrow(/does not fit.*turn/);
    await writeSample(sink);
    expect((await readRun(folder.dir)).records[0]?.outcome).not.toBeNull();
  });

  it('is refused in one line where a file stands in the way', async () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, 'file'), '');
    await expect(openRunFolder(join(dir, 'file'))).rejects.toMatchObject({ code: 'run-folder-unusable' });
    await expect(readRun(join(dir, 'nothing'))).rejects.toMatchObject({ code: 'run-folder-unusable' });
  });

  it('keeps timings beside the records', async () => {
    const folder = await openRunFolder(temporaryFolder());
    const timing = {
      ...{ episode: 'a', durationMs: 1, agentMs: 0, customerMs: 0, speechMs: 0, toolMs: 0 },
      ...{ sendMs: 0, audioMs: 0 },
    };
    folder.appendTiming(timing);
    folder.appendTiming(timing);
    expect(readFileSync(folder.paths.timings, 'utf8').trim().split('\n')).toHaveLength(2);
  });

  it('fails by name when a record cannot be created', async () => {
    const folder = await openRunFolder(temporaryFolder());
    expect(() => folder.open('no/such/place')).toThrow(/cannot create the record/);
  });
});

describe('records in memory', () => {
  it('number attempts as a folder does and keep the same lines', async () => {
    const memory = createMemoryRecords();
    await writeSample(memory.open('a'));
    await writeSample(memory.open('a'));
    expect([...memory.episodes.keys()]).toEqual(['a', 'a~2']);
    expect(memory.episodes.get('a')).toEqual(sampleEvents('a'));
    expect(memory.finished.size).toBe(2);
  });
});
