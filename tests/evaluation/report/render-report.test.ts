import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeImaAdpcm } from '../../../src/audio/index.js';
import { html, jsonForScript, Markup } from '../../../src/evaluation/report/html.js';
import { renderReport } from '../../../src/evaluation/report/render-report.js';
import { HOSTILE, makeDemoRun } from '../helpers/demo-run.js';

const blocks = (page: string, kind: RegExp): string[] =>
  [...page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)]
    .filter((match) => kind.test(match[1] ?? ''))
    .map((match) => match[2] ?? '');

describe('the report file', () => {
  it('holds every episode as data that cannot leave its block, whatever was said', async () => {
    const { dir, run } = makeDemoRun(2);
    const page = await renderReport(dir, run);
    expect(page).not.toContain(HOSTILE);
    expect(page).not.toContain('<img');
    const episodes = blocks(page, /id="episode-\d+"/).map(
      (text) => JSON.parse(text) as { events: { type: string; text?: string }[] },
    );
    expect(episodes).toHaveLength(8);
    expect(episodes[0]?.events.find((event) => event.type === 'agent')?.text).toContain(HOSTILE);
  });

  it('lets only its own script and style run, and forbids every connection', async () => {
    const { dir, run } = makeDemoRun(1);
    const page = await renderReport(dir, run);
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';
    expect(policy).toMatch(/^default-src 'none';/);
    const [script, ...others] = blocks(page, /^$/);
    expect(others).toEqual([]);
    const hash = createHash('sha256')
      .update(script ?? '')
      .digest('base64');
    expect(policy).toContain(`script-src 'sha256-${hash}'`);
    expect(policy).toContain('media-src blob:;');
    expect(page).not.toMatch(/(?:src|href)="https?:/);
    expect(page).not.toMatch(/ style="| on[a-z]+="/);
  });

  it('holds each distinct clip once', async () => {
    const { dir, run, samples, sha256 } = makeDemoRun(3);
    const page = await renderReport(dir, run);
    expect(page.split(`id="clip-${sha256}"`)).toHaveLength(2);
    expect(Buffer.from(blocks(page, /id="clip-/)[0] ?? '', 'base64')).toEqual(
      Buffer.from(encodeImaAdpcm(samples)),
    );
  });

  it('links clips beyond the budget to the run folder, and says so', async () => {
    const { dir, run, sha256 } = makeDemoRun(1);
    const page = await renderReport(dir, run, { audioBudgetBytes: 100 });
    expect(page).toContain(`data-href="audio/${sha256}.wav"`);
    expect(page).toContain('1 of 1 clips did not fit into this page');
    expect(blocks(page, /id="clip-/)).toEqual(['']);
  });

  it('says how many clips are missing', async () => {
    const { dir, run } = makeDemoRun(1);
    rmSync(join(dir, 'audio'), { recursive: true });
    expect(await renderReport(dir, run)).toContain('1 clips could not be read');
  });

  it('is the same file for the same run', async () => {
    const { dir, run } = makeDemoRun(2);
    const pages = [0, 1].map(() => renderReport(dir, run));
    const [one, two] = await Promise.all(pages);
    expect(one).toBe(two);
  });
});

describe('markup', () => {
  it('escapes what is filled in, unless it is markup', () => {
    expect(
      html`<p title="${'"><'}">${"a & 'b'"}${new Markup('<b>c</b>')}${['<', html`<i>${'>'}</i>`]}</p>`.text,
    ).toBe('<p title="&quot;&gt;&lt;">a &amp; &#39;b&#39;<b>c</b>&lt;<i>&gt;</i></p>');
  });

  it('writes JSON that holds no < and reads back the same', () => {
    const value = { text: '</script><!--' };
    expect(jsonForScript(value)).not.toContain('<');
    expect(JSON.parse(jsonForScript(value))).toEqual(value);
  });
});
