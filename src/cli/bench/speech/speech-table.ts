import { formatTable } from '../format-table.js';
import type { SpeechBench } from './bench-speech.js';
import type { EngineTiming } from './engine-timings.js';
import type { MemoryGrowth } from './memory-growth.js';
import type { ResamplerComparison } from './resampler-comparison.js';

type Row = readonly [what: string, measured: string, ofWhat: string];

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
const times = (factor: number): string => `${Number(factor.toPrecision(2)).toLocaleString('en-US')} ×`;
const ms = (value: number): string => `${value.toFixed(2)} ms`;

function engineRow({ engine, voiceId, factors }: EngineTiming): Row {
  if (typeof factors === 'string') return [engine, 'not measured', `${voiceId}: ${factors}`];
  const { cold, coldMs, warm, ownCpu, fromMemoryMs, fromDiskMs } = factors;
  return [
    engine,
    `warm ${warm.toFixed(3)} (${ownCpu.toFixed(3)}), cold ${cold.toFixed(2)}`,
    `of the time that speech lasts, in brackets this process's share of a core (${voiceId}; cold: first line after ${coldMs.toFixed(0)} ms); cached ${ms(fromMemoryMs)} from memory, ${ms(fromDiskMs)} from disk`,
  ];
}

function resamplingRows({ own, ffmpeg }: ResamplerComparison): Row[] {
  const [first] = own;
  const conversions = [...own, ...(typeof ffmpeg === 'string' ? [] : ffmpeg)];
  const rows = conversions.map(
    ({ name, timesRealTime, worstSnrDb, meanSnrDb }, i): Row => [
      `${i === 0 ? '24 to 16 kHz' : '…'}, ${name}`,
      times(timesRealTime),
      `real time; SNR ${worstSnrDb.toFixed(0)} dB at worst, ${meanSnrDb.toFixed(0)} dB in the mean of 24 tones; ${(timesRealTime / (first?.timesRealTime ?? 1)).toFixed(2)} of the first one's speed`,
    ],
  );
  return typeof ffmpeg === 'string' ? [...rows, ['…, ffmpeg', 'not measured', ffmpeg]] : rows;
}

function memoryRow({ utterances, earlyBytes, lateBytes }: MemoryGrowth): Row {
  return [
    `${utterances.toLocaleString('en-US')} utterances`,
    `${megabytes(earlyBytes)}, then ${megabytes(lateBytes)}`,
    'least memory of the process in the second and in the last quarter of them (flite under regular)',
  ];
}

/** The figures as a Markdown table. */
export function formatSpeechBench({ engines, line, resampling, memory }: SpeechBench): string {
  return formatTable([
    ['speech', 'measured', 'of what'],
    ...engines.map(engineRow),
    ['a line under regular', times(line.effects), 'real time: every effect, one core (goal: 200)'],
    ...line.detectors.map(
      ({ name, timesRealTime }): Row => [
        `voice activity, ${name}`,
        timesRealTime === null ? 'not measured' : times(timesRealTime),
        timesRealTime === null ? 'its optional packages are not installed' : 'real time (goal: 50)',
      ],
    ),
    ...resamplingRows(resampling),
    memoryRow(memory),
  ]);
}
