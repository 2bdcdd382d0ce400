import type { SpeechStretch } from './find-speech.js';

/** Stretches in which both of two speakers speak, and how many samples that is in all. */
export interface TalkOver {
  readonly stretches: readonly SpeechStretch[];
  readonly samples: number;
}

/** What was said over what: both lists in order of time, on one clock, each without overlaps of its own. */
export function measureTalkOver(first: readonly SpeechStretch[], second: readonly SpeechStretch[]): TalkOver {
  const stretches: SpeechStretch[] = [];
  let samples = 0;
  for (let i = 0, k = 0; i < first.length && k < second.length; ) {
    const [a, b] = [first[i] as SpeechStretch, second[k] as SpeechStretch];
    const startSample = Math.max(a.startSample, b.startSample);
    const endSample = Math.min(a.endSample, b.endSample);
    if (startSample < endSample) {
      stretches.push({ startSample, endSample });
      samples += endSample - startSample;
    }
    if (a.endSample <= b.endSample) i += 1;
    else k += 1;
  }
  return { stretches, samples };
}
