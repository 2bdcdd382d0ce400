import { expect, it } from 'vitest';
import { findConditions } from '../../../src/audio/index.js';
import { type Clip, createConditionedSpeaker, createSpeaker, findVoice } from '../../../src/speech/index.js';
import { LINES } from './lines.js';
import { hearAll, noPocketsphinx } from './pocketsphinx.js';
import { wordErrorRate } from './word-errors.js';

const PRESETS = ['clean', 'telephony', 'reverberation', 'bed-babble', 'regular'] as const;

it.skipIf(noPocketsphinx !== null)(
  `pocketsphinx understands clean speech, less by telephone, and much less in a hall or among people (${noPocketsphinx ?? 'it is here'})`,
  async () => {
    const speaker = await createSpeaker();
    const voice = findVoice(speaker.voices, 'rms-even');
    const clips: Clip[] = [];
    for (const preset of PRESETS) {
      const heard = createConditionedSpeaker(speaker, findConditions(preset));
      for (const [utterance, line] of LINES.entries())
        clips.push((await heard.speak(line, voice, { seed: 3 + utterance, utterance })).clip);
    }
    await speaker.close();
    const texts = hearAll(clips);
    const rateOf = (preset: (typeof PRESETS)[number]): number => {
      const first = PRESETS.indexOf(preset) * LINES.length;
      return wordErrorRate(LINES, texts.slice(first, first + LINES.length));
    };
    expect(rateOf('clean')).toBeLessThan(0.12);
    expect(rateOf('telephony')).toBeGreaterThanOrEqual(rateOf('clean'));
    expect(rateOf('telephony')).toBeLessThan(0.25);
    for (const hard of ['reverberation', 'bed-babble', 'regular'] as const)
      expect(rateOf(hard), hard).toBeGreaterThan(rateOf('telephony') + 0.1);
  },
  900_000,
);
