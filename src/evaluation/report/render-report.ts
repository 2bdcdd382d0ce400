import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { imaAdpcmDecoderScript } from '../../audio/index.js';
import { type RunData, summariseRun } from '../metrics/run-summary.js';
import { findRecordings } from '../recordings/record-run.js';
import { describeRun } from '../table.js';
import { embedClips } from './embed-clips.js';
import { renderHeader } from './header.js';
import { html, jsonForScript, Markup } from './html.js';
import { collectReportData } from './report-data.js';

export interface ReportOptions {
  /** Encoded audio in the page at most; 64 MB unless told. */
  readonly audioBudgetBytes?: number | undefined;
}

/** Files in the run folder. */
const BESIDE = " 'self' file:";
const DEFAULT_BUDGET_BYTES = 64 * 1024 * 1024;
/** In the order of their imports. */
const SCRIPTS = [
  'page.client.js',
  'wav.client.js',
  'player.client.js',
  'timeline.client.js',
  'hearing.client.js',
  'conversation.client.js',
  'list.client.js',
];

function asset(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

/** The parts are modules, so that linters and tests can read them; in the page they are one script. */
function joinScripts(): string {
  const parts = SCRIPTS.map((name) =>
    asset(name)
      .replace(/^import .*;$/gm, '')
      .replace(/^export /gm, ''),
  );
  return `'use strict';\n${imaAdpcmDecoderScript()}\n${parts.join('\n')}`;
}

function cspHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

const FILTERS = html`<form id="filters" class="filters" aria-label="Filter the episodes">
<label>outcome<select name="state"><option value="">all</option><option>failed</option><option>passed</option><option>invalid</option><option>cut short</option></select></label>
<label>mode<select name="mode"><option value="">both</option></select></label>
<label>task<input name="task" list="task-names" placeholder="all" autocomplete="off"></label><datalist id="task-names"></datalist>
<label>fault put in<select name="fault"><option value="">any or none</option><option value="*">any</option></select></label>
<button type="reset">Reset</button><output id="count" for="filters"></output></form>`;

/**
 * The whole run as one HTML page that needs nothing else: no network, no server. The policy in its head lets only the page's own
 * script and style run (by hash) and forbids every connection, so that nothing a record holds can reach out.
 */
export async function renderReport(dir: string, run: RunData, options: ReportOptions = {}): Promise<string> {
  const { audioBudgetBytes = DEFAULT_BUDGET_BYTES } = options;
  const summary = summariseRun(run);
  const recordings = await findRecordings(dir);
  const data = collectReportData(run, recordings);
  const clips = await embedClips(dir, data.clips, audioBudgetBytes);
  const notes: string[] = [];
  if (clips.linked > 0)
    notes.push(
      `${clips.linked} of ${data.clips.length} clips did not fit into this page; they play from the audio folder beside it`,
    );
  if (clips.broken > 0) notes.push(`${clips.broken} clips could not be read from the run folder`);

  const style = asset('page.css') + asset('conversation.css') + asset('hearing.css');
  const script = joinScripts();
  const policy = [
    "default-src 'none'",
    `script-src ${cspHash(script)}`,
    `style-src ${cspHash(style)}`,
    `media-src blob:${clips.linked + recordings.size > 0 ? BESIDE : ''}`,
    ...(recordings.size > 0 ? [`img-src${BESIDE}`] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const episodes = data.bodies.map(
    (body, index) => `<script type="application/json" id="episode-${index}">${jsonForScript(body)}</script>`,
  );
  const head = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>parlor: ${describeRun(summary)}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
${renderHeader(summary, notes)}
<h2>Episodes</h2>
${FILTERS}
<noscript><p>The conversations need JavaScript; it runs from this file alone.</p></noscript>
<ol id="rows"></ol>
<button type="button" id="more" class="gone">Show more</button>
</main>
`.text;
  return [
    head,
    `<script type="application/json" id="run-data">${jsonForScript({ rows: data.rows, tasks: data.tasks })}</script>`,
    ...episodes,
    ...clips.blocks.map((block) => block.text),
    `<script>${script}</script>`,
    '</body>\n</html>\n',
  ].join('\n');
}
