import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeImaAdpcm, encodeImaAdpcm, encodeWav } from '../../../src/audio/index.js';
import { renderReport } from '../../../src/evaluation/report/render-report.js';
import { findChromium, openPage, type Page } from '../../helpers/browser.js';
import { DEMO_RATE_HZ, HOSTILE, makeDemoRun } from '../helpers/demo-run.js';

const browser = findChromium();

describe.skipIf(browser === null)('the report in a browser (needs chromium)', () => {
  const demo = makeDemoRun(3);
  let page: Page;
  beforeAll(async () => {
    const file = join(demo.dir, 'report.html');
    writeFileSync(file, await renderReport(demo.dir, demo.run));
    page = await openPage(browser ?? '', pathToFileURL(file).href);
  });
  afterAll(() => page?.close());

  it('lists every episode and asks the network for nothing', async () => {
    expect(await page.evaluate(`document.querySelectorAll('.episode').length`)).toBe(12);
    expect(page.requests.filter((url) => !url.startsWith('file:'))).toEqual([]);
    expect(page.complaints).toEqual([]);
  });

  it('opens an episode with every turn of it, hostile words as words', async () => {
    await page.evaluate(`document.querySelector('.episode-head').click()`);
    await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))`);
    expect(await page.evaluate(`document.querySelectorAll('.chat > .turn').length`)).toBe(8);
    expect(await page.evaluate(`document.querySelector('.agent .said').textContent`)).toContain(HOSTILE);
    expect(await page.evaluate(`document.querySelectorAll('img').length`)).toBe(0);
    expect(await page.evaluate('document.title')).not.toBe('owned');
    expect(await page.evaluate(`document.querySelectorAll('.turn.failed pre.bad').length`)).toBe(1);
  });

  it('lays said, heard and argument of each turn side by side, and marks what differs', async () => {
    const cells = (row: number) =>
      page.evaluate(`(() => {
        const cells = [...document.querySelectorAll('.hearing tbody tr')[${row}].children];
        return cells.map((cell) => ({
          text: cell.textContent,
          marks: [...cell.querySelectorAll('mark')].map((mark) => mark.textContent),
        }));
      })()`) as Promise<{ text: string; marks: string[] }[]>;
    const [turn, said, heard, argument] = await cells(0);
    expect(turn?.text).toBe('0');
    expect(said).toMatchObject({ text: expect.stringContaining('#W2378156'), marks: ['five'] });
    expect(heard).toMatchObject({ text: expect.stringContaining(HOSTILE.slice(0, 20)), marks: ['nine'] });
    expect(argument).toMatchObject({ text: expect.stringContaining('get_order_details'), marks: [] });
    const [, , untold, wrong] = await cells(1);
    expect(untold?.text).toBe('not told');
    expect(wrong?.marks).toEqual(['#W2378155']);
    expect(wrong?.text).toContain('said: #W2378156');
    expect(await page.evaluate(`document.querySelector('.hearing').open`)).toBe(true);
  });

  it('decodes a clip into a WAV file that the browser takes, sample for sample', async () => {
    const { rate, length, bytes } = (await page.evaluate(`(async () => {
      const clip = clipOf('${demo.sha256}');
      const wav = wavOfClip(clip);
      const context = new OfflineAudioContext(1, clip.samples, clip.sampleRateHz);
      const decoded = await context.decodeAudioData(wav.slice(0));
      return { rate: decoded.sampleRate, length: decoded.length, bytes: [...new Uint8Array(wav)] };
    })()`)) as { rate: number; length: number; bytes: number[] };
    expect({ rate, length }).toEqual({ rate: DEMO_RATE_HZ, length: 8_000 });
    const decoded = decodeImaAdpcm(encodeImaAdpcm(demo.samples), demo.samples.length);
    const expected = encodeWav({ samples: decoded, sampleRateHz: DEMO_RATE_HZ });
    expect(Buffer.from(bytes).equals(expected)).toBe(true);
  });

  it('plays a clip to its end from a blob', async () => {
    expect(await page.evaluate(`document.querySelector('.player').play()`)).toBe(true);
    expect(page.complaints).toEqual([]);
  });

  it('filters by outcome, task and fault', async () => {
    const filter = (name: string, value: string) =>
      page.evaluate(`(() => {
        const field = document.getElementById('filters').elements.namedItem('${name}');
        field.value = '${value}';
        field.dispatchEvent(new Event('input', { bubbles: true }));
        return document.getElementById('count').textContent;
      })()`);
    expect(await filter('state', 'failed')).toBe('3 of 12 episodes');
    expect(await filter('fault', 'wrong_item')).toBe('3 of 12 episodes');
    expect(await filter('task', 'task-1')).toBe('1 of 12 episodes');
    expect(await filter('state', 'passed')).toBe('0 of 12 episodes');
  });
});
