import type { HearingSummary } from './hearing/read-hearing.js';
import type { CallSummary } from './metrics/call-facts.js';
import type { Estimate } from './metrics/interval.js';
import { RESAMPLES } from './metrics/interval.js';
import type { PassRow } from './metrics/pass-table.js';
import type { RunSummary } from './metrics/run-summary.js';
import type { Mean, ModeSummary } from './metrics/summary.js';

export interface TableOptions {
  /** Terminal escapes for weight and colour. */
  readonly colour: boolean;
}

const LABEL_WIDTH = 14;
const MAX_NAMED = 12;

type Paint = (text: string, style: 'bold' | 'dim' | 'red' | 'green' | 'yellow') => string;
const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;

function painter(colour: boolean): Paint {
  return (text, style) => (colour ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text);
}

/** One line for people: what was run, on what, by whom. */
export function describeRun({ manifest }: RunSummary): string {
  const { tasks, trials, modes, domain, rule, seed } = manifest;
  return [
    `${domain.label} (rules ${domain.rules})`,
    `${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'} × ${trials} ${trials === 1 ? 'trial' : 'trials'}`,
    modes.join(' and '),
    `outcome rule ${rule}`,
    `seed ${seed}`,
  ].join(' · ');
}

/** Who played; reference agents are called so, lest their figures pass for a model's. */
export function describeAgent({ manifest }: RunSummary): string {
  const { name, options, labels } = manifest.agent;
  const given = Object.entries(options)
    .map(([key, value]) => `${key} ${value}`)
    .join(', ');
  const what = labels
    ? ': a reference that knows the right answers, with faults put in on purpose where asked; not a model'
    : '';
  return `${name}${given === '' ? '' : ` (${given})`}${what}`;
}

function percent(value: number | null): string {
  return value === null ? '–' : (100 * value).toFixed(1);
}

function interval(estimate: Estimate): string {
  if (estimate.low === null || estimate.high === null) return '–';
  return `${percent(estimate.low).padStart(5)} – ${percent(estimate.high).padStart(5)}`;
}

function line(label: string, content: string, paint: Paint): string {
  return `  ${paint(label.padEnd(LABEL_WIDTH), 'dim')}${content}`;
}

function passLines(rows: readonly PassRow[], paint: Paint): string[] {
  const head = `  ${'k'.padEnd(4)}${'pass^k'.padStart(7)}   ${'95 %'.padEnd(15)}${'first-k'.padStart(9)}   ${'95 %'.padEnd(15)}${'pass@k'.padStart(8)}${'tasks'.padStart(8)}`;
  const body = rows.map(
    (row) =>
      `  ${String(row.k).padEnd(4)}${paint(percent(row.combinatorial.mean).padStart(7), 'bold')}   ${interval(row.combinatorial).padEnd(15)}` +
      `${paint(percent(row.firstK.mean).padStart(9), 'bold')}   ${interval(row.firstK).padEnd(15)}` +
      `${percent(row.passAt.mean).padStart(8)}${String(row.combinatorial.tasks).padStart(8)}`,
  );
  return [paint(head, 'dim'), ...body];
}

function mean(value: Mean, digits: number): string {
  return value.mean === null ? '–' : value.mean.toFixed(digits);
}

function modeLines(mode: ModeSummary, paint: Paint): string[] {
  const { episodes, means, scores } = mode;
  const counted = [
    `${episodes.finished} of ${episodes.planned} episodes`,
    paint(`${episodes.passed} passed`, 'green'),
    episodes.failed > 0 ? paint(`${episodes.failed} failed`, 'red') : '0 failed',
    episodes.invalid > 0 ? paint(`${episodes.invalid} invalid`, 'yellow') : '0 invalid',
    ...(episodes.missing > 0 ? [paint(`${episodes.missing} not run`, 'yellow')] : []),
  ].join(', ');
  const lines = [`${paint(mode.mode, 'bold')}  ${counted}`, '', ...passLines(mode.pass, paint)];
  if (mode.passCountingInvalid !== null)
    lines.push(
      paint('  the same with invalid episodes counted as failed', 'dim'),
      ...passLines(mode.passCountingInvalid, paint).slice(1),
    );
  const { agent, user, platform } = mode.faultOwners;
  if (agent + user + platform > 0)
    lines.push(
      '',
      line(
        'not passed',
        `${agent} by the agent · ${user} by the simulated customer · ${platform} by the platform`,
        paint,
      ),
    );
  const audio = mode.mode === 'speech' ? ` · ${mean(means.audioSeconds, 1)} s of customer audio` : '';
  lines.push(
    '',
    line(
      'per episode',
      `reward ${mean(means.reward, 2)} · ${mean(means.turns, 1)} turns · ${mean(means.toolCalls, 1)} tool calls ` +
        `(${mean(means.toolErrors, 2)} errors) · ${mean(means.customerWords, 0)} customer words${audio}`,
      paint,
    ),
    line(
      'sub-scores',
      Object.entries(scores)
        .map(([name, score]) =>
          score.mean === null
            ? `${name} –`
            : `${name} ${score.mean.toFixed(2)}${score.episodes < episodes.finished ? ` (of ${score.episodes})` : ''}`,
        )
        .join(' · '),
      paint,
    ),
    line(
      'ended by',
      mode.ends.length === 0
        ? '–'
        : mode.ends
            .map((end) => `${end.owner}: ${end.reason} ${end.episodes} (${end.passed} passed)`)
            .join(' · '),
      paint,
    ),
  );
  if (mode.turnTaking !== undefined) lines.push(line('turn-taking', describeTurns(mode.turnTaking), paint));
  if (mode.hearing !== undefined) lines.push(line('hearing', describeHearing(mode.hearing), paint));
  if (mode.injectedFaults !== null) {
    const { withFault, labelled, kinds } = mode.injectedFaults;
    const list = kinds.map((kind) => `${kind.kind} ${kind.episodes}`).join(', ');
    lines.push(
      line(
        'faults put in',
        `${withFault.episodes} of ${labelled} episodes (${withFault.passed} passed all the same)${list === '' ? '' : `: ${list}`}`,
        paint,
      ),
    );
  }
  return lines;
}

/** How the two took turns, per call. */
function describeTurns({ callSeconds, responseMs, yieldMs, yielded, perCall }: CallSummary): string {
  const seconds = (ms: number | null): string => (ms === null ? '–' : `${(ms / 1_000).toFixed(2)} s`);
  const share = yielded === null ? '' : ` (${(100 * yielded).toFixed(0)} % within 2 s)`;
  return [
    `${callSeconds.toFixed(0)} s a call`,
    `agent answers after ${seconds(responseMs)}`,
    `yields after ${seconds(yieldMs)}${share}`,
    `customer broke in ${perCall.customerInterruptions.toFixed(1)} ×, agent ${perCall.agentInterruptions.toFixed(1)} ×`,
    `mm-hmm ${perCall.backchannels.toFixed(1)} ×`,
    `check-ins ${perCall.checkIns.toFixed(1)}`,
    `both at once ${seconds(perCall.talkOverMs)}`,
  ].join(' · ');
}

/** What came through of what was said. */
function describeHearing(hearing: HearingSummary): string {
  const { words, wordErrors, heardTurns, turns, misheardArguments } = hearing;
  const told =
    words === 0
      ? 'the agent does not tell what it heard'
      : `word errors ${percent(wordErrors / words)} % of ${words} words${heardTurns < turns ? ` (${heardTurns} of ${turns} turns)` : ''}`;
  return `${told} · ${misheardArguments} of ${hearing.arguments} tool arguments otherwise than said`;
}

/** Remarks without which the figures could be misread. One per item. */
export function describeCaveats(summary: RunSummary): string[] {
  const notes: string[] = [];
  const { liveJudge } = summary.manifest;
  if (liveJudge !== undefined)
    notes.push(
      `live-judged by ${liveJudge}, which knows the right answers and broke in before wrong actions: not comparable with other runs`,
    );
  for (const mode of summary.modes)
    for (const { component, episodes } of mode.unscored)
      notes.push(
        component === 'NL_ASSERTION'
          ? `NL assertions unscored in ${episodes} ${mode.mode} episodes (no judge model); the rest decides`
          : `${component} unscored in ${episodes} ${mode.mode} episodes; the rest decides`,
      );
  const lookUps = summary.manifest.groundTruthFaults.filter((fault) => !fault.isWrite);
  if (lookUps.length > 0) {
    const tasks = [...new Set(lookUps.map((fault) => fault.task))];
    const named = tasks.slice(0, MAX_NAMED).join(', ');
    const rest = tasks.length > MAX_NAMED ? `, … (${tasks.length} tasks)` : '';
    notes.push(
      `the ground truth of ${named}${rest} looks up something that is not there, which changes nothing`,
    );
  }
  const { pairs } = summary;
  if (pairs !== null) {
    const named = pairs.different
      .slice(0, MAX_NAMED)
      .map((pair) => `${pair.task} trial ${pair.trial + 1} passed in ${pair.passedIn} only`);
    notes.push(
      `speech and text gave the same outcome in ${pairs.same} of ${pairs.compared} pairs${named.length === 0 ? '' : `: ${named.join('; ')}`}`,
    );
  }
  return notes;
}

/** Tasks whose ground truth cannot be carried out as written, one line each, with how they went all the same. */
export function describeDoubtfulTasks({ manifest, modes }: RunSummary): string[] {
  return manifest.groundTruthFaults
    .filter((fault) => fault.isWrite)
    .map(({ task, callIndex, call, error }) => {
      const trials = modes.flatMap((mode) => mode.tasks.find((each) => each.task === task)?.trials ?? []);
      const passed = trials.filter((trial) => trial === 'passed').length;
      return `${task} (${passed} of ${trials.length} passed): call ${callIndex + 1}, ${call}, fails: ${error}`;
    });
}

/** The table for the terminal, without a last line feed. */
export function renderTable(summary: RunSummary, options: TableOptions): string {
  const paint = painter(options.colour);
  const lines = [
    paint(describeRun(summary), 'bold'),
    `agent ${describeAgent(summary)}`,
    ...summary.modes.flatMap((mode) => ['', ...modeLines(mode, paint)]),
  ];
  const caveats = describeCaveats(summary);
  if (caveats.length > 0) lines.push('', ...caveats.map((note) => `${paint('note', 'yellow')}  ${note}`));
  const doubtful = describeDoubtfulTasks(summary);
  if (doubtful.length > 0)
    lines.push(
      '',
      `${paint('doubtful ground truth', 'yellow')} (a write of the source's own fails; the right end state is open to doubt)`,
      ...doubtful.map((task) => `  ${task}`),
    );
  lines.push(
    '',
    paint(
      `Percent. pass^k: mean over tasks of C(c,k)/C(n,k). first-k: tasks whose first k trials all pass. pass@k: at least one of k.\n` +
        `95 % over tasks: Bayesian bootstrap with a Jeffreys prior, ${RESAMPLES.toLocaleString('en')} resamples; few tasks give wide intervals.`,
      'dim',
    ),
  );
  return lines.join('\n');
}
