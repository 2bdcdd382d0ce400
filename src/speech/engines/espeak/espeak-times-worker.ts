import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import type { EspeakEvent, EspeakTimes, EspeakTimesJob } from './espeak-times.js';

/**
 * A process of its own for one line: loads the user's libespeak-ng (GPL-3, which is why it is never loaded by ours), speaks what the
 * program spoke with the same settings, and prints when each word began. Its sound is thrown away but for its hash.
 * Signatures and numbers: speak_lib.h of eSpeak NG 1.50 and later.
 */
interface Koffi {
  load(name: string): { func(signature: string): (...args: unknown[]) => unknown };
  struct(name: string, fields: Record<string, unknown>): unknown;
  array(type: string, length: number): unknown;
  proto(signature: string): unknown;
  pointer(type: unknown): unknown;
  sizeof(type: unknown): number;
  register(call: (...args: never[]) => number, type: unknown): unknown;
  decode(from: unknown, ...how: unknown[]): unknown;
}
interface Event {
  readonly type: number;
  readonly text_position: number;
  readonly length: number;
  readonly sample: number;
}

const STANDARD_OUTPUT = 1;
const SYNCHRONOUS = 2;
const [RATE, PITCH] = [1, 3];
/** As the program has them: any encoding, phonemes in [[ ]], a pause at the end. */
const FLAGS = 0x0 | 0x100 | 0x1000;
const UTF8 = 1;
const WORD = 1;
const MAX_EVENTS = 10_000;
const FROM_CHARACTER = 1;

const job = JSON.parse(await text(process.stdin)) as EspeakTimesJob;
const koffi = createRequire(import.meta.url)('koffi') as Koffi;

function loadLibrary() {
  const faults: unknown[] = [];
  for (const name of job.libraries)
    try {
      return koffi.load(name);
    } catch (error) {
      faults.push(error);
    }
  throw new AggregateError(faults, `none of ${job.libraries.join(', ')} can be loaded`);
}

const library = loadLibrary();
const event = koffi.struct('espeak_EVENT', {
  ...{ type: 'int', unique_identifier: 'uint', text_position: 'int', length: 'int' },
  ...{ audio_position: 'int', sample: 'int', user_data: 'void *', id: koffi.array('uint8', 8) },
});
koffi.struct('espeak_VOICE', {
  ...{ name: 'const char *', languages: 'const char *', identifier: 'const char *' },
  ...{ gender: 'uint8', age: 'uint8', variant: 'uint8', xx1: 'uint8', score: 'int', spare: 'void *' },
});
const callback = koffi.proto('int SynthCallback(int16_t *wav, int count, espeak_EVENT *events)');
const initialize = library.func(
  'int espeak_Initialize(int output, int length, const char *path, int options)',
);
const setCallback = library.func('void espeak_SetSynthCallback(SynthCallback *callback)');
const setVoice = library.func('int espeak_SetVoiceByName(const char *name)');
const setVoiceBy = library.func('int espeak_SetVoiceByProperties(espeak_VOICE *voice)');
const setParameter = library.func('int espeak_SetParameter(int parameter, int value, int relative)');
const synthesize = library.func(
  'int espeak_Synth(const void *text, size_t size, uint position, int type, uint end, uint flags, uint *id, void *user)',
);

const sampleRateHz = initialize(SYNCHRONOUS, 0, null, 0) as number;
const sound: Buffer[] = [];
const words: EspeakEvent[] = [];
const take = (wav: unknown, count: number, events: unknown): number => {
  if (wav !== null && count > 0)
    sound.push(Buffer.from(Uint8Array.from(koffi.decode(wav, koffi.array('uint8', 2 * count)) as number[])));
  for (let at = 0; at < MAX_EVENTS; at += 1) {
    const one = koffi.decode(events, at * koffi.sizeof(event), event) as Event;
    if (one.type === 0) break;
    if (one.type === WORD && one.length > 0) words.push([one.text_position - 1, one.length, one.sample]);
  }
  return 0;
};
setCallback(koffi.register(take, koffi.pointer(callback)));
// In the program's order: a name, else a language, such as en-gb+f3.
const wanted = { name: null, languages: job.voice, identifier: null, score: 0, spare: null };
const asLanguage = { ...wanted, gender: 0, age: 0, variant: 0, xx1: 0 };
if (setVoice(job.voice) !== 0 && setVoiceBy(asLanguage) !== 0)
  throw new Error(`there is no voice ${job.voice}`);
setParameter(RATE, job.wordsPerMinute, 0);
setParameter(PITCH, job.pitch, 0);
const input = Buffer.from(`${job.text}\0`);
synthesize(input, input.length, 0, FROM_CHARACTER, 0, UTF8 | FLAGS, null, null);
const pcm = Buffer.concat(sound);
const times: EspeakTimes = {
  sampleRateHz,
  samples: pcm.length / 2,
  sha256: createHash('sha256').update(pcm).digest('hex'),
  words,
};
writeFileSync(STANDARD_OUTPUT, JSON.stringify(times));
