import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureLevel } from '../../../src/audio/index.js';
import { sha256Hex } from '../../../src/shared/index.js';
import {
  type Clip,
  createFliteSynthesizer,
  createToneSynthesizer,
  defaultVoicesDir,
  findVoice,
  loadVoices,
  SpeechClosedError,
  SynthesisError,
  type Synthesizer,
  type Voice,
  wavBytes,
} from '../../../src/speech/index.js';

const ENGINES = [
  { engineName: 'flite', create: () => createFliteSynthesizer() },
  { engineName: 'tone', create: async () => createToneSynthesizer() },
];

/** What every engine promises. */
describe.each(ENGINES)('the contract of a speech engine: $engineName', ({ create }) => {
  let engine: Synthesizer;
  let voice: Voice;
  beforeAll(async () => {
    engine = await create();
    voice = findVoice(await loadVoices(defaultVoicesDir()), 'slt-even');
  });
  afterAll(() => engine.close());

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
      say('A grey keyboard.', { pitchMeanHz: 230 }),
    ]);
    const ratio = slow.samples.length / plain.samples.length;
    expect(ratio).toBeGreaterThan(1.4);
    expect(ratio).toBeLessThan(1.6);
    expect(hash(high)).not.toBe(hash(plain));
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

  it('closes twice and then refuses', async () => {
    const other = await create();
    await other.synthesize({ spoken: 'Yes.', voice });
    await Promise.all([other.close(), other.close()]);
    await other.close();
    await expect(other.synthesize({ spoken: 'Yes.', voice })).rejects.toThrow(SpeechClosedError);
  });
});
