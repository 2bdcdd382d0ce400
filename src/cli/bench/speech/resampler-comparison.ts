import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFfmpeg, resample } from '../../../audio/index.js';
import type { Stopwatch } from '../measure.js';
import { soundLikeSpeech } from './line-timings.js';

interface Conversion {
  /** Which resampler, with which setting. */
  readonly name: string;
  /** Seconds of sound for a second of one core's time. */
  readonly timesRealTime: number;
  /** Signal to all that is not signal, in dB: the worst and the mean of the tones. */
  readonly worstSnrDb: number;
  readonly meanSnrDb: number;
}

export interface ResamplerComparison {
  readonly own: readonly Conversion[];
  /** The program's resamplers, or why it was not asked. */
  readonly ffmpeg: readonly Conversion[] | string;
}

const FROM_HZ = 24_000;
const TO_HZ = 16_000;
const ROUNDS = 3;
const TIME_LIMIT_MS = 120_000;
/** 100 Hz to 7 kHz, which is what telephones and wideband speech use of 16 kHz. */
const TONES_HZ = Array.from({ length: 24 }, (_, i) => Math.round(100 * 70 ** (i / 23)));
const TONE_AMPLITUDE = 0.9 * 32_767;
/** Of each tone's second, left out at either end: the filter still hears the tone before. */
const EDGE_SECONDS = 0.1;

function tones(): Int16Array {
  const samples = new Int16Array(TONES_HZ.length * FROM_HZ);
  TONES_HZ.forEach((frequencyHz, tone) => {
    for (let i = 0; i < FROM_HZ; i += 1)
      samples[tone * FROM_HZ + i] = Math.round(
        TONE_AMPLITUDE * Math.sin((2 * Math.PI * frequencyHz * i) / FROM_HZ),
      );
  });
  return samples;
}

/**
 * Least squares of a·sin + b·cos to one tone; what is left over is noise, distortion and aliases. The stretch holds whole
 * seconds' fractions, so sine and cosine are not quite orthogonal and the 2 × 2 system is solved.
 */
function snrDb(samples: Int16Array, frequencyHz: number): number {
  let [ss, sc, cc, ys, yc, yy] = [0, 0, 0, 0, 0, 0];
  samples.forEach((y, i) => {
    const phase = (2 * Math.PI * frequencyHz * i) / TO_HZ;
    const [s, c] = [Math.sin(phase), Math.cos(phase)];
    ss += s * s;
    sc += s * c;
    cc += c * c;
    ys += y * s;
    yc += y * c;
    yy += y * y;
  });
  const determinant = ss * cc - sc * sc;
  const a = (ys * cc - yc * sc) / determinant;
  const b = (yc * ss - ys * sc) / determinant;
  const signal = a * ys + b * yc;
  return 10 * Math.log10(signal / (yy - signal));
}

function quality(converted: Int16Array): Pick<Conversion, 'worstSnrDb' | 'meanSnrDb'> {
  const figures = TONES_HZ.map((frequencyHz, tone) =>
    snrDb(converted.subarray((tone + EDGE_SECONDS) * TO_HZ, (tone + 1 - EDGE_SECONDS) * TO_HZ), frequencyHz),
  );
  return {
    worstSnrDb: Math.min(...figures),
    meanSnrDb: figures.reduce((sum, figure) => sum + figure, 0) / figures.length,
  };
}

/** Seconds of the quickest of a few rounds. */
async function quickest(round: () => number | Promise<number>): Promise<number> {
  const seconds: number[] = [];
  while (seconds.length < ROUNDS) seconds.push(await round());
  return Math.min(...seconds);
}

/** `-benchmark` prints the processor's time, start and files included: "bench: utime=0.612s stime=0.030s rtime=0.655s". */
function programSeconds(printed: string): number {
  const [, user, system] = /utime=([\d.]+)s stime=([\d.]+)s/.exec(printed) ?? [];
  return Number(user) + Number(system);
}

const bytesOf = (samples: Int16Array): Uint8Array =>
  new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);

const QUALITIES = ['standard', 'fast'] as const;
const FILTERS = [
  { name: 'ffmpeg', options: [] },
  { name: 'ffmpeg soxr', options: ['-af', 'aresample=resampler=soxr'] },
] as const;

interface Sounds {
  readonly long: Int16Array;
  readonly seconds: number;
  readonly sweep: Int16Array;
}

async function ownConversion(
  setting: (typeof QUALITIES)[number],
  { long, seconds, sweep }: Sounds,
  clock: Stopwatch,
): Promise<Conversion> {
  const took = await quickest(() => {
    const startMs = clock.nowMs();
    resample(long, FROM_HZ, TO_HZ, setting);
    return (clock.nowMs() - startMs) / 1000;
  });
  return {
    name: `own, ${setting}`,
    timesRealTime: seconds / took,
    ...quality(resample(sweep, FROM_HZ, TO_HZ, setting)),
  };
}

async function ffmpegConversion(
  program: string,
  { name, options }: (typeof FILTERS)[number],
  { long, seconds, sweep }: Sounds,
): Promise<Conversion> {
  const folder = await mkdtemp(join(tmpdir(), 'parlor-bench-'));
  const paths = { from: join(folder, 'from.raw'), to: join(folder, 'to.raw') };
  const raw = (rateHz: number): string[] => ['-f', 's16le', '-ar', String(rateHz), '-ac', '1'];
  const args = [
    ...['-nostdin', '-hide_banner', '-benchmark', '-y', '-threads', '1', '-filter_threads', '1'],
    ...[...raw(FROM_HZ), '-i', paths.from, ...options, ...raw(TO_HZ), paths.to],
  ];
  const convert = async () =>
    programSeconds((await promisify(execFile)(program, args, { timeout: TIME_LIMIT_MS })).stderr);
  try {
    await writeFile(paths.from, bytesOf(long));
    const took = await quickest(convert);
    await writeFile(paths.from, bytesOf(sweep));
    await convert();
    const { buffer } = Uint8Array.from(await readFile(paths.to));
    return { name, timesRealTime: seconds / took, ...quality(new Int16Array(buffer)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** 24 → 16 kHz, here and by ffmpeg: `seconds` of sound for the speed, by the processor's time; tones for the quality. */
export async function compareResamplers(
  searchPath: string,
  { clock, seconds }: { clock: Stopwatch; seconds: number },
): Promise<ResamplerComparison> {
  const long = soundLikeSpeech(seconds, { sampleRateHz: FROM_HZ, seed: 3 }).samples;
  const sounds = { long, seconds, sweep: tones() };
  const own: Conversion[] = [];
  for (const setting of QUALITIES) own.push(await ownConversion(setting, sounds, clock));
  const program = findFfmpeg(searchPath);
  if (program === null) return { own, ffmpeg: 'there is no ffmpeg on PATH' };
  const ffmpeg: Conversion[] = [];
  for (const filter of FILTERS) ffmpeg.push(await ffmpegConversion(program, filter, sounds));
  return { own, ffmpeg };
}
