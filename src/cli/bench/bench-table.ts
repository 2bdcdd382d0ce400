import type { EpisodesTiming } from './episodes-bench.js';
import type { Timing } from './measure.js';
import { REFERENCE_MS, type RetailTimings } from './retail-bench.js';
import { NUMPY_TOLERANCE, type ScoringTiming } from './scoring-bench.js';

export interface BenchResult {
  readonly domain: string;
  readonly retail: RetailTimings;
  readonly episodes: EpisodesTiming;
  readonly scoring: ScoringTiming;
}

interface Row {
  readonly what: string;
  readonly took: string;
  readonly against: string;
  readonly ratio: string;
}

function formatTime({ microseconds }: Pick<Timing, 'microseconds'>): string {
  if (microseconds < 1) return `${(microseconds * 1000).toFixed(0)} ns`;
  return microseconds < 1000 ? `${microseconds.toFixed(1)} µs` : `${(microseconds / 1000).toFixed(1)} ms`;
}

/** Two digits that count: 1234 → "1,200 ×". */
function formatRatio(value: number): string {
  const digits = Math.max(0, Math.floor(Math.log10(value)) - 1);
  const rounded = value < 10 ? Number(value.toFixed(1)) : Math.round(value / 10 ** digits) * 10 ** digits;
  return `${rounded.toLocaleString('en-US')} ×`;
}

function numpyRow({ reference, episodes }: ScoringTiming): Row {
  const what = 'GRPO + hybrid';
  if (typeof reference === 'string')
    return { what, took: '', against: `numpy: not measured, ${reference}`, ratio: '' };
  const { numpy, numpySeconds, ownSeconds, largestDifference } = reference;
  const found =
    largestDifference <= NUMPY_TOLERANCE
      ? `equal to ${NUMPY_TOLERANCE}`
      : `NOT EQUAL: differs by ${largestDifference}`;
  return {
    what,
    took: formatTime({ microseconds: ownSeconds * 1e6 }),
    against: `numpy ${numpy}, ${episodes.toLocaleString('en-US')} episodes (${formatTime({ microseconds: numpySeconds * 1e6 })}, this run; ${found})`,
    ratio: formatRatio(numpySeconds / ownSeconds),
  };
}

function scoringRows(scoring: ScoringTiming): Row[] {
  const { episodes, turns, scoreSeconds, advantageSeconds, cpuSeconds } = scoring;
  const size = `${episodes.toLocaleString('en-US')} episodes, ${turns.toLocaleString('en-US')} turns`;
  return [
    {
      what: 'score',
      took: `${(scoreSeconds + advantageSeconds).toFixed(1)} s`,
      against: `${size}: rule judge, rewards, all advantages; ${cpuSeconds.toFixed(1)} s of CPU`,
      ratio: '',
    },
    numpyRow(scoring),
  ];
}

function rowsOf({ retail, episodes, scoring }: BenchResult): Row[] {
  const { reset, read, write, verification, plainReset, plainHash } = retail;
  const ratio = (slow: Timing, fast: Timing) => formatRatio(slow.microseconds / fast.microseconds);
  const ratioToReference = (ms: number, fast: Timing) => formatRatio((ms * 1000) / fast.microseconds);
  return [
    {
      what: 'reset',
      took: formatTime(reset),
      against: `parsing the database again (${formatTime(plainReset)}, this run)`,
      ratio: ratio(plainReset, reset),
    },
    {
      what: '',
      took: '',
      against: `tau2-bench's reset (${REFERENCE_MS.resetTau2} ms, given)`,
      ratio: ratioToReference(REFERENCE_MS.resetTau2, reset),
    },
    {
      what: '',
      took: '',
      against: `tau-bench's reset (${REFERENCE_MS.resetTau1} ms, given)`,
      ratio: ratioToReference(REFERENCE_MS.resetTau1, reset),
    },
    { what: 'read call', took: formatTime(read), against: '', ratio: '' },
    { what: 'reset + write call', took: formatTime(write), against: '', ratio: '' },
    {
      what: 'verification',
      took: formatTime(verification),
      against: `hashing the whole database (${formatTime(plainHash)}, this run)`,
      ratio: ratio(plainHash, verification),
    },
    {
      what: '',
      took: '',
      against: `one hash in the references (${REFERENCE_MS.hash} ms, given)`,
      ratio: ratioToReference(REFERENCE_MS.hash, verification),
    },
    {
      what: 'text episodes',
      took: `${episodes.perSecond.toFixed(0)}/s`,
      against: `WebSocket + MCP + verifier, ${(episodes.toolCalls / episodes.episodes).toFixed(1)} tool calls each`,
      ratio: '',
    },
    ...scoringRows(scoring),
  ];
}

/** The figures as a Markdown table, which reads well in a terminal too. */
export function formatBench(result: BenchResult): string {
  const rows = [
    { what: 'operation', took: 'took', against: 'against', ratio: 'faster by' },
    ...rowsOf(result),
  ];
  const width = (pick: (row: Row) => string) => Math.max(...rows.map((row) => pick(row).length));
  const widths = {
    what: width((r) => r.what),
    took: width((r) => r.took),
    against: width((r) => r.against),
    ratio: width((r) => r.ratio),
  };
  const line = (row: Row) =>
    `| ${row.what.padEnd(widths.what)} | ${row.took.padStart(widths.took)} | ${row.against.padEnd(widths.against)} | ${row.ratio.padStart(widths.ratio)} |`;
  const [head, ...body] = rows.map(line);
  const rule = `|${'-'.repeat(widths.what + 2)}|${'-'.repeat(widths.took + 1)}:|${'-'.repeat(widths.against + 2)}|${'-'.repeat(widths.ratio + 1)}:|`;
  return `${[head, rule, ...body].join('\n')}\n`;
}
