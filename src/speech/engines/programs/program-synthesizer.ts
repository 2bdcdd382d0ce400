import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeWav } from '../../../audio/index.js';
import { type Clock, systemClock } from '../../../shared/index.js';
import { SpeechClosedError, VoiceNeedsError } from '../../errors.js';
import type { Synthesizer, Voice } from '../../synthesizer.js';
import { audibleClip, sayableText } from '../audible-clip.js';
import { findProgram, runProgram } from './run-program.js';

export interface ProgramOptions {
  /** The PATH variable's value. */
  readonly searchPath: string;
  /** For one line. */
  readonly deadlineMs?: number;
  readonly clock?: Clock;
}

/** A program that reads a text aloud: a WAV file on its standard output, or the file `out` if it writes that. */
export interface SpeakingProgram {
  /** Of the engine, as voice files name it. */
  readonly engine: string;
  readonly command: string;
  /** How to get it. */
  readonly install: string;
  readonly versionArgs: readonly string[];
  /** Finds the version in what `versionArgs` print. */
  readonly version: RegExp;
  /** Throws `VoiceNeedsError` for a voice that it cannot have. */
  argsFor(voice: Voice, text: string, out: string): string[];
  /** What goes to its standard input. */
  inputFor(text: string): string;
}

/** About eleven minutes at 22 kHz. */
const MAX_OUTPUT_BYTES = 30_000_000;

/** The user's own program, a process for each line. @throws VoiceNeedsError if it is not on the search path, or is something else */
export async function createProgramSynthesizer(
  program: SpeakingProgram,
  { searchPath, deadlineMs = 60_000, clock = systemClock }: ProgramOptions,
): Promise<Synthesizer> {
  const path = findProgram(program.command, searchPath);
  if (path === null)
    throw new VoiceNeedsError(
      `this voice is spoken by the program ${program.command}, which is not on PATH; install it (${program.install}) or take another voice`,
    );
  const limits = { deadlineMs, clock, maxOutputBytes: MAX_OUTPUT_BYTES };
  // Flite says its version and ends with 1.
  const asked = { args: program.versionArgs, input: '', goodCodes: [0, 1] };
  const banner = Buffer.from(await runProgram(path, asked, limits)).toString();
  const version = program.version.exec(banner)?.[1];
  if (version === undefined)
    throw new VoiceNeedsError(
      `expected ${path} to be ${program.engine}; it calls itself ${JSON.stringify(banner.slice(0, 100))}`,
    );
  let closed = false;
  return {
    name: `${program.engine}/${version}`,
    async synthesize({ spoken, voice }) {
      if (closed) throw new SpeechClosedError();
      const text = sayableText(spoken).replace(/\s+/g, ' ');
      const folder = await mkdtemp(join(tmpdir(), 'parlor-line-'));
      const out = join(folder, 'line.wav');
      let wav: Uint8Array;
      try {
        const call = { args: program.argsFor(voice, text, out), input: program.inputFor(text) };
        const printed = await runProgram(path, call, limits);
        wav = printed.length > 0 ? printed : await readFile(out);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
      return audibleClip(
        wav.length === 0 ? { samples: new Int16Array(0), sampleRateHz: 16_000 } : decodeWav(wav),
        spoken,
        `${program.command} (voice ${voice.engineVoice})`,
      );
    },
    async close() {
      closed = true;
    },
  };
}
