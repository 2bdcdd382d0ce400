import { type Clock, systemClock } from '../../../shared/index.js';
import { SynthesisError, VoiceNeedsError } from '../../errors.js';
import { findProgram, runProgram } from '../programs/run-program.js';
import { type EspeakTimesJob, espeakLibraries, timesWorkerFile } from './espeak-times.js';

/** The user's own espeak-ng. It is GPL-3 software, so it is started as a process of its own and never comes with this package. */
export interface EspeakProgram {
  /** Such as "1.51". */
  readonly version: string;
  /** What it prints for these options and this text. */
  run(args: readonly string[], text: string): Promise<Uint8Array>;
  /** When its words begin, as `espeak-times-worker` prints it. Rejects as `run` does. */
  runTimes(job: Omit<EspeakTimesJob, 'libraries'>): Promise<Uint8Array>;
}

export interface EspeakOptions {
  /** The PATH variable's value. */
  readonly searchPath: string;
  /** For one text. */
  readonly deadlineMs?: number;
  readonly clock?: Clock;
}

/** About eleven minutes. */
const MAX_OUTPUT_BYTES = 30_000_000;

/** @throws VoiceNeedsError if the program is not on the search path, or is something else. */
export async function openEspeak({
  searchPath,
  deadlineMs = 30_000,
  clock = systemClock,
}: EspeakOptions): Promise<EspeakProgram> {
  const path = findProgram('espeak-ng', searchPath);
  if (path === null)
    throw new VoiceNeedsError(
      'this voice is spoken by the program espeak-ng, which is not on PATH; install it (Debian: apt install espeak-ng, macOS: brew install espeak-ng) or take another voice',
    );
  const limits = { deadlineMs, clock, maxOutputBytes: MAX_OUTPUT_BYTES };
  const run = (args: readonly string[], input: string): Promise<Uint8Array> =>
    runProgram(path, { args, input }, limits);
  const banner = Buffer.from(await run(['--version'], '')).toString();
  const version = /eSpeak NG[^:]*:\s*(\d+(?:\.\d+)*)/i.exec(banner)?.[1];
  if (version === undefined)
    throw new VoiceNeedsError(
      `expected ${path} to be eSpeak NG; it calls itself ${JSON.stringify(banner.slice(0, 100))}`,
    );
  const runTimes = (job: Omit<EspeakTimesJob, 'libraries'>): Promise<Uint8Array> => {
    const input = JSON.stringify({ ...job, libraries: espeakLibraries(path) });
    return runProgram(process.execPath, { args: [timesWorkerFile()], input }, limits);
  };
  return { version, run, runTimes };
}

/** Options that choose the voice; its name must not be taken for an option or a path. */
export function espeakVoiceArgs(engineVoice: string): string[] {
  if (!/^[a-z][a-z0-9-]*(\+[A-Za-z0-9]+)?$/.test(engineVoice))
    throw new SynthesisError(
      `expected a voice of \`espeak-ng --voices\` such as en-us or en-gb-scotland+f3; got ${JSON.stringify(engineVoice)}`,
    );
  return ['-v', engineVoice, '-b', '1', '--stdin'];
}
