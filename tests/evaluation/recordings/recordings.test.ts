import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { recordRun, renderReport } from '../../../src/evaluation/index.js';
import { findChromium, openPage } from '../../helpers/browser.js';
import { cli } from '../../helpers/terminal.js';
import { makeDemoRun } from '../helpers/demo-run.js';
import { makeRecord } from '../helpers/records.js';

function demoRun() {
  const demo = makeDemoRun(1);
  onTestFinished(() => rmSync(demo.dir, { recursive: true, force: true }));
  const episode = demo.run.records[0]?.header.episode ?? '';
  const file = (ending: string): Buffer => readFileSync(join(demo.dir, 'recordings', `${episode}${ending}`));
  return { ...demo, episode, file };
}

describe('recordings of a run', () => {
  it('have the customer on the left, to the sample, and the agent on the right', async () => {
    const { dir, run, samples, file } = demoRun();
    expect(await recordRun(dir, run.records)).toEqual({ recorded: 4, faults: [] });
    const wav = file('.wav');
    const facts = JSON.parse(file('.json').toString());
    expect(wav.readUInt16LE(22)).toBe(2);
    expect(wav.readUInt32LE(24)).toBe(16_000);
    const frames = new Int16Array(wav.buffer.slice(wav.byteOffset + 44, wav.byteOffset + wav.length));
    const left = frames.filter((_, i) => i % 2 === 0);
    const right = frames.filter((_, i) => i % 2 === 1);
    const said = facts.utterances.filter(({ side }: { side: string }) => side === 'customer');
    expect(said).toHaveLength(3);
    for (const { startMs } of said) {
      const start = Math.round(startMs * 16);
      expect(left.slice(start, start + samples.length)).toEqual(samples);
    }
    expect(right.every((sample) => sample === 0)).toBe(true);
    expect(left.length).toBe(Math.round(facts.durationMs * 16));
    expect(facts).toMatchObject({
      version: 1,
      channels: ['customer', 'agent'],
      clock: 'laid-out',
      missing: [],
    });
    expect(facts.tools.map(({ name, ok }: { name: string; ok: boolean }) => [name, ok])).toEqual([
      ['get_order_details', true],
      ['cancel_pending_order', false],
    ]);
  });

  it('have labels that Audacity reads, and a picture; words of a record end no line and open no tag', async () => {
    const { dir, run, file } = demoRun();
    await recordRun(dir, run.records);
    const rows = file('.labels.txt').toString().trimEnd().split('\n');
    expect(rows[0]).toBe(
      '0.000000\t0.500000\tcustomer: Hello, I would like to cancel my order #W2378156 please.',
    );
    for (const row of rows)
      expect(row).toMatch(/^\d+\.\d{6}\t\d+\.\d{6}\t(customer|agent|effects|interrupts): /);
    const picture = file('.svg').toString();
    expect(picture).toMatch(/^<svg xmlns=/);
    expect(picture).toContain('get_order_details');
    expect(picture).not.toContain('<script>');
  });

  it('are the same bytes when they are made again', async () => {
    const { dir, run } = demoRun();
    const folder = join(dir, 'recordings');
    const read = () =>
      readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('base64')]);
    await recordRun(dir, run.records);
    const before = read();
    await recordRun(dir, run.records);
    expect(before).toHaveLength(16);
    expect(read()).toEqual(before);
  });

  it('say which clips are missing, and leave text and unfinished calls alone', async () => {
    const { dir, run, sha256, file } = demoRun();
    rmSync(join(dir, 'audio', `${sha256}.wav`));
    const records = [
      ...run.records.slice(0, 1),
      ...[makeRecord({ task: 'x', mode: 'text' }), makeRecord({ task: 'y', mode: 'speech', torn: true })],
    ];
    const { recorded, faults } = await recordRun(dir, records);
    expect(recorded).toBe(1);
    expect(faults).toEqual([expect.stringContaining('3 clips are missing')]);
    expect(JSON.parse(file('.json').toString()).missing).toEqual([sha256, sha256, sha256]);
  });

  it('that cannot be written are faults of their own, and harm no other', async () => {
    const { dir, run, episode } = demoRun();
    mkdirSync(join(dir, 'recordings', `${episode}.wav`), { recursive: true });
    const { recorded, faults } = await recordRun(dir, run.records);
    expect(recorded).toBe(3);
    expect(faults).toEqual([expect.stringContaining(episode)]);
  });

  it('are linked in the report, which may load nothing more than before', async () => {
    const { dir, run, episode } = demoRun();
    expect(await renderReport(dir, run)).not.toContain('img-src');
    await recordRun(dir, run.records);
    const page = await renderReport(dir, run);
    expect(page).toContain(`recordings/${episode}.svg`);
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
    expect(policy).toContain("media-src blob: 'self' file:; img-src 'self' file:; base-uri 'none'");
  });

  const browser = findChromium();
  it.skipIf(browser === null)('are seen and heard in a browser (needs chromium)', async () => {
    const { dir, run, episode } = demoRun();
    await recordRun(dir, run.records);
    const file = join(dir, 'report.html');
    writeFileSync(file, await renderReport(dir, run));
    const page = await openPage(browser ?? '', `${pathToFileURL(file).href}#${episode}`);
    onTestFinished(() => page.close());
    const shown = await page.evaluate(`(async () => {
      const picture = document.querySelector('.recording img');
      picture.loading = 'eager';
      await picture.decode();
      const sound = document.querySelector('.recording audio');
      await new Promise((resolve, reject) => {
        sound.addEventListener('loadedmetadata', resolve);
        sound.addEventListener('error', () => reject(sound.error));
        sound.preload = 'metadata';
        sound.load();
      });
      return { width: picture.naturalWidth, links: document.querySelectorAll('.recording a').length, long: sound.duration > 1 };
    })()`);
    expect(shown).toEqual({ width: 1000, links: 4, long: true });
    expect(page.complaints).toEqual([]);
  });
});

describe('--recordings', () => {
  it('of serve needs a folder of records', async () => {
    const { exitCode, stderr } = await cli(['serve', '--port', '0', '--mode', 'text', '--recordings']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('give --out FOLDER as well');
  });
});
