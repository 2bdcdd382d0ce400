import type { Estimate } from '../metrics/interval.js';
import { RESAMPLES } from '../metrics/interval.js';
import type { RunSummary } from '../metrics/run-summary.js';
import type { Mean, ModeSummary } from '../metrics/summary.js';
import { describeAgent, describeCaveats, describeDoubtfulTasks, describeRun } from '../table.js';
import { html, type Markup } from './html.js';
import { drawPassChart } from './pass-chart.js';

function percent(value: number | null): string {
  return value === null ? '–' : (100 * value).toFixed(1);
}

function interval({ low, high }: Estimate): string {
  return low === null ? '' : `${percent(low)} – ${percent(high)}`;
}

function number(value: Mean, digits: number): string {
  return value.mean === null ? '–' : value.mean.toFixed(digits);
}

function passTable(mode: ModeSummary): Markup {
  return html`<div class="scroll"><table class="pass"><thead><tr><th scope="col">k</th><th scope="col">pass^k <small>C(c,k)/C(n,k)</small></th><th scope="col">first-k <small>first k trials all pass</small></th><th scope="col">pass@k <small>at least one</small></th><th scope="col">tasks</th></tr></thead><tbody>${mode.pass.map(
    (row) =>
      html`<tr><th scope="row">${row.k}</th><td><b>${percent(row.combinatorial.mean)}</b><span class="interval">${interval(row.combinatorial)}</span></td><td><b>${percent(row.firstK.mean)}</b><span class="interval">${interval(row.firstK)}</span></td><td>${percent(row.passAt.mean)}</td><td>${row.combinatorial.tasks}</td></tr>`,
  )}</tbody></table></div>`;
}

function fact(label: string, value: string, detail: string): Markup {
  return html`<div class="fact"><dt>${label}</dt><dd>${value}</dd><dd class="detail">${detail}</dd></div>`;
}

function facts(mode: ModeSummary): Markup {
  const { episodes, means, scores } = mode;
  const per = (value: Mean, digits = 1) => number(value, digits);
  const cards = [
    fact(
      'episodes',
      `${episodes.passed} / ${episodes.finished}`,
      `passed of finished · ${episodes.invalid} invalid · ${episodes.missing} not run`,
    ),
    fact(
      'not passed',
      String(mode.faultOwners.agent + mode.faultOwners.user + mode.faultOwners.platform),
      `${mode.faultOwners.agent} by the agent · ${mode.faultOwners.user} by the customer · ${mode.faultOwners.platform} by the platform`,
    ),
    fact('reward', per(means.reward, 2), 'mean per episode'),
    fact(
      'turns',
      per(means.turns),
      `${per(means.agentMessages)} messages, ${per(means.toolCalls)} tool calls`,
    ),
    fact('tool errors', per(means.toolErrors, 2), 'per episode'),
    fact('customer', per(means.customerWords, 0), 'words per episode'),
  ];
  if (mode.mode === 'speech')
    cards.push(fact('customer audio', `${per(means.audioSeconds)} s`, 'per episode'));
  return html`<dl class="facts">${cards}</dl>
<dl class="lists"><dt>Sub-scores</dt><dd>${Object.entries(scores)
    .map(
      ([name, score]) =>
        `${name} ${number(score, 2)}${score.mean !== null && score.episodes < episodes.finished ? ` (of ${score.episodes})` : ''}`,
    )
    .join(' · ')}</dd><dt>Ended by</dt><dd>${mode.ends
    .map((end) => `${end.owner}: ${end.reason} ${end.episodes} (${end.passed} passed)`)
    .join(' · ')}</dd>${faultLine(mode)}</dl>`;
}

function faultLine({ injectedFaults }: ModeSummary): Markup | null {
  if (injectedFaults === null) return null;
  const { withFault, labelled, kinds } = injectedFaults;
  const list = kinds.map((kind) => `${kind.kind} ${kind.episodes} (${kind.passed} passed)`).join(' · ');
  return html`<dt>Faults put in</dt><dd>${withFault.episodes} of ${labelled} episodes, ${withFault.passed} of them passed all the same${list === '' ? '' : ` · ${list}`}</dd>`;
}

function modeSection(mode: ModeSummary): Markup {
  return html`<section class="mode"><h2>${mode.mode === 'speech' ? 'Speech' : 'Text'}</h2><div class="pass-and-chart"><div>${passTable(mode)}<p class="key"><span class="swatch combinatorial"></span> pass^k, combinatorial &nbsp; <span class="swatch first-k"></span> first-k &nbsp; whiskers: 95 %</p></div>${drawPassChart(mode.pass, `pass^k in ${mode.mode} mode`)}</div>${facts(mode)}</section>`;
}

/** The part of the page that needs no script: what was run and how it went. */
export function renderHeader(summary: RunSummary, notes: readonly string[]): Markup {
  const caveats = [...describeCaveats(summary), ...notes];
  const doubtful = describeDoubtfulTasks(summary);
  return html`<header><p class="brand">parlor</p><h1>${describeRun(summary)}</h1><p class="agent-line">Agent: ${describeAgent(summary)}</p></header>
<p class="hint">In percent. Intervals cover 95 % over tasks (Bayesian bootstrap with a Jeffreys prior, ${RESAMPLES.toLocaleString('en')} resamples); few tasks give wide ones.</p>
${summary.modes.map(modeSection)}
${caveats.length === 0 ? null : html`<ul class="caveats">${caveats.map((note) => html`<li>${note}</li>`)}</ul>`}
${doubtful.length === 0 ? null : html`<details class="doubtful"><summary>Doubtful ground truth: ${doubtful.length} ${doubtful.length === 1 ? 'write of the source’s own fails' : 'writes of the source’s own fail'}</summary><ul>${doubtful.map((task) => html`<li>${task}</li>`)}</ul></details>`}`;
}
