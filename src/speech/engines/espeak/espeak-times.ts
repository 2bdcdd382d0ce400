import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { measureLevel, type Pcm } from '../../../audio/index.js';
import { sha256Hex } from '../../../shared/index.js';
import { areInOrder, spokenWords, type WordTime } from '../../word-times.js';

/** One line for the process that knows when words begin. */
export interface EspeakTimesJob {
  /** Tried in this order. */
  readonly libraries: readonly string[];
  readonly text: string;
  readonly voice: string;
  readonly wordsPerMinute: number;
  readonly pitch: number;
}

/** Where in the text a word stands, from 0, how long it is there, and the sample at which it begins. */
export type EspeakEvent = [position: number, length: number, sample: number];

const count = z.number().int().min(0);
const timesSchema = z.strictObject({
  sampleRateHz: z.number().int().min(8_000).max(48_000),
  samples: count,
  sha256: z.string().length(64),
  words: z.array(z.tuple([count, count, count])).max(20_000),
});
export type EspeakTimes = z.infer<typeof timesSchema>;

/** Quieter than this share of the clip's level is pause. */
const PAUSE_SHARE = 0.05;
const FRAME_MS = 5;

/** Of Debian and other Linux, and of Homebrew; beside the program first. */
export function espeakLibraries(program: string): string[] {
  const names = ['libespeak-ng.so.1', 'libespeak-ng.1.dylib', 'libespeak-ng.dylib'];
  const beside = names.map((name) => join(dirname(program), '..', 'lib', name));
  return [...beside, ...names];
}

/** The compiled worker file: beside this one in dist, and in dist also when this module itself runs from src. */
export function timesWorkerFile(): string {
  const folder = import.meta.url.replace(
    /\/src\/speech\/engines\/espeak\/([^/]*\.ts)$/,
    '/dist/speech/engines/espeak/$1',
  );
  return fileURLToPath(new URL('./espeak-times-worker.js', folder));
}

/** The optional package by which the worker calls the library. */
export function hasKoffi(): boolean {
  try {
    createRequire(import.meta.url).resolve('koffi');
    return true;
  } catch {
    return false;
  }
}

/** @returns undefined if it is rubbish, or is of another sound than the program's */
export function wordsOfTimes(
  printed: Uint8Array,
  said: { readonly text: string; readonly pcm: Pcm },
): readonly WordTime[] | undefined {
  let times: EspeakTimes;
  try {
    times = timesSchema.parse(JSON.parse(Buffer.from(printed).toString()));
  } catch {
    return undefined;
  }
  const { samples, sampleRateHz } = said.pcm;
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  if (times.sampleRateHz !== sampleRateHz || times.sha256 !== sha256Hex(bytes)) return undefined;
  const starts = startsOf(said.text, times.words, samples.length);
  if (starts === null) return undefined;
  const quiet = PAUSE_SHARE * measureLevel(samples).rms;
  const words = starts.map(([word, start], place): WordTime => {
    const next = starts[place + 1]?.[1] ?? samples.length;
    return [word, start, endOfSound(said.pcm, { start, next, quiet })];
  });
  return areInOrder(words, samples.length) ? words : undefined;
}

/** Where each word begins. "of the" is one word to espeak: the second begins where its letters' share of the two does. */
function startsOf(
  text: string,
  events: readonly EspeakEvent[],
  samples: number,
): readonly (readonly [string, number])[] | null {
  const starts: [string, number][] = [];
  let from = 0;
  let event = 0;
  const words = spokenWords(text).map((word) => {
    const at = text.indexOf(word, from);
    from = at + word.length;
    return { word, at, end: from };
  });
  // Several events of one word, "H D M I" of "HDMI", are its first.
  const firsts = words.map(({ at, end }) => {
    while (event < events.length && (events[event]?.[0] ?? 0) < at) event += 1;
    const found = events[event];
    return found !== undefined && found[0] < end ? found[2] : null;
  });
  if (firsts[0] == null) return null;
  for (let place = 0; place < words.length; ) {
    let behind = place + 1;
    while (behind < words.length && firsts[behind] === null) behind += 1;
    const group = words.slice(place, behind);
    const start = firsts[place] ?? 0;
    const end = firsts[behind] ?? samples;
    const letters = group.reduce((sum, { word }) => sum + word.length, 0);
    let before = 0;
    for (const { word } of group) {
      starts.push([word, Math.round(start + ((end - start) * before) / letters)]);
      before += word.length;
    }
    place = behind;
  }
  return starts;
}

/** Without the pause behind it, which espeak counts to the word. */
function endOfSound(
  { samples, sampleRateHz }: Pcm,
  { start, next, quiet }: { readonly start: number; readonly next: number; readonly quiet: number },
): number {
  const frame = Math.round((sampleRateHz * FRAME_MS) / 1_000);
  let end = next;
  while (end - frame > start && measureLevel(samples.subarray(end - frame, end)).rms < quiet) end -= frame;
  return end;
}
