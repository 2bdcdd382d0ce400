import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import type { EpisodeRecord, RecordEvent } from '../../../src/episodes/index.js';
import { renderReport } from '../../../src/evaluation/report/render-report.js';
import { findChromium, openPage } from '../../helpers/browser.js';
import { temporaryFolder } from '../../helpers/temporary-folder.js';
import { makeManifest, makeRecord } from '../helpers/records.js';

const browser = findChromium();

const wire = {
  ...({ encoding: 'pcm16', transport: 'binary', frameMs: 100, pacing: 'fast' } as const),
  // A sample is a millisecond.
  sampleRateHz: 1_000,
};

const customer = (utterance: number, startSample: number, cause: 'answer' | 'interruption') =>
  ({
    ...{ type: 'customer', turn: utterance, utterance, text: 'x', spoken: 'x', audio: null, end: null },
    call: { startSample, samples: 2_000, cause },
  }) satisfies RecordEvent;

/** The customer opens (0-2 s); the agent talks (2.5-8.5 s), is murmured to, and is broken into at 6 s, where it stops. */
const EVENTS: readonly RecordEvent[] = [
  customer(0, 0, 'answer'),
  {
    ...{ type: 'agent', turn: 1, text: 'x', reasoning: null },
    call: {
      ...{ startSample: 2_500, samples: 6_000, timing: 'voice' },
      talks: [{ startSample: 0, endSample: 6_000 }],
    },
  },
  {
    ...{ type: 'aside', turn: 1, utterance: 9, kind: 'backchannel', text: 'Uh-huh.', spoken: 'uh huh' },
    audio: { sha256: 'a'.repeat(64), sampleRateHz: 1_000, samples: 400, durationMs: 400 },
    ...{ startSample: 4_000, samples: 400 },
  },
  {
    ...{ type: 'customer_interrupted', turn: 1, cause: 'interruption', words: 'share' },
    ...{ atSample: 6_000, agentStopSample: 6_000, heardSamples: 3_500, answeredText: 'x', heardText: 'x' },
  },
  customer(1, 6_000, 'interruption'),
];

it.skipIf(browser === null)(
  'a call with turn-taking is a picture: both sides, the murmur and who broke in (needs chromium)',
  async () => {
    const plain = makeRecord({ task: 't', mode: 'speech', trial: 1 });
    const made = makeRecord({ task: 't', mode: 'speech', events: EVENTS });
    const call: EpisodeRecord = { ...made, header: { ...made.header, turnTaking: 'lively', wire } };
    const dir = temporaryFolder();
    const manifest = makeManifest({ tasks: ['t'], trials: 2, modes: ['speech'] });
    const file = join(dir, 'report.html');
    writeFileSync(file, await renderReport(dir, { manifest, records: [call, plain], labels: [] }));
    const page = await openPage(browser ?? '', pathToFileURL(file).href);
    onTestFinished(() => page.close());
    await page.evaluate(`document.querySelectorAll('.episode-head').forEach((head) => head.click())`);
    await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))`);
    // The other episode has no clock, so no picture.
    expect(await page.evaluate(`document.querySelectorAll('.episode').length`)).toBe(2);
    expect(await page.evaluate(`document.querySelectorAll('svg.timeline').length`)).toBe(1);
    const bars = await page.evaluate(`[...document.querySelectorAll('.timeline rect')].map((bar) => {
      const { width, height } = bar.getBoundingClientRect();
      return {
        kind: bar.getAttribute('class'),
        row: Number(bar.getAttribute('y')),
        x: Number(bar.getAttribute('x')),
        title: bar.textContent,
        seen: width >= 1 && height >= 1 && getComputedStyle(bar).fill !== 'none',
      };
    })`);
    // 8 s are 1000 wide.
    expect(bars).toEqual([
      {
        kind: 'customer answer',
        row: 0,
        x: 0,
        title: 'customer, answer, turn 0: 0.0 s to 2.0 s',
        seen: true,
      },
      {
        ...{ kind: 'agent talk cut', row: 22, x: 312.5, seen: true },
        title: 'agent, talk, turn 1: 2.5 s to 6.0 s, broken off',
      },
      {
        ...{ kind: 'customer backchannel', row: 0, x: 500, seen: true },
        title: 'customer, backchannel, turn 1: 4.0 s to 4.4 s',
      },
      {
        ...{ kind: 'customer interruption', row: 0, x: 750, seen: true },
        title: 'customer, interruption, turn 1: 6.0 s to 8.0 s',
      },
    ]);
    // Breaking in and being broken off stand out in the same colour, a murmur is faint.
    const looks = (await page.evaluate(`[...document.querySelectorAll('.timeline rect')].map((bar) => {
      const { fill, opacity } = getComputedStyle(bar);
      return fill + ' ' + opacity;
    })`)) as string[];
    const [line, brokenOff, murmur, breaking] = looks;
    expect(brokenOff).toBe(breaking);
    expect(new Set([line, murmur, breaking]).size).toBe(3);
    const caption = await page.evaluate(`document.querySelector('.call-timeline p').textContent`);
    expect(caption).toContain('customer above, agent below · call 8.0 s · customer broke in 1 · mm-hmm 1');
    expect(page.complaints).toEqual([]);
  },
);
