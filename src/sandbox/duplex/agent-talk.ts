import { findSpeech, type VoiceDetector } from '../../audio/index.js';
import { moveWords, toSpokenForm, type WordTime } from '../../speech/index.js';
import type { AgentSpeech } from '../session/state.js';
import { letterCount } from './word-ends.js';

/** When an agent is heard to speak, in samples of the call's clock from the start of its message. */
export interface AgentTalk {
  readonly samples: number;
  readonly talks: readonly { readonly startSample: number; readonly endSample: number }[];
  readonly timing: 'voice' | 'estimate';
  readonly words?: readonly WordTime[];
}

/**
 * Of a message without sound: our own voices need about so much for a letter or digit of the spoken form, and for a
 * comma or full stop (fitted to them; tests say how well).
 */
const MS_PER_LETTER = 80;
const MS_PER_MARK = 120;

/** How long a voice would need for it. */
export function estimateSpeechMs(text: string): number {
  const spoken = toSpokenForm(text);
  return MS_PER_LETTER * letterCount(spoken) + MS_PER_MARK * (spoken.match(/[.,;:?!]/g) ?? []).length;
}

/** From its own sound, by a voice detector; of words alone by an estimate. */
export async function talkOf(
  said: { readonly text: string | null; readonly speech: AgentSpeech | null },
  { sampleRateHz, detector }: { readonly sampleRateHz: number; readonly detector: VoiceDetector },
): Promise<AgentTalk> {
  const { text, speech } = said;
  if (speech === null) {
    const samples = Math.round((estimateSpeechMs(text ?? '') * sampleRateHz) / 1_000);
    const talks = samples === 0 ? [] : [{ startSample: 0, endSample: samples }];
    return { samples, talks, timing: 'estimate' };
  }
  const onClock = (sample: number): number => Math.round((sample * sampleRateHz) / speech.sampleRateHz);
  const { words } = speech;
  const stretches = await findSpeech(speech, detector);
  return {
    samples: onClock(speech.samples.length),
    talks: stretches.map(({ startSample, endSample }) => ({
      startSample: onClock(startSample),
      endSample: onClock(endSample),
    })),
    timing: 'voice',
    ...(words === undefined
      ? {}
      : { words: moveWords(words, { ratio: sampleRateHz / speech.sampleRateHz }) }),
  };
}
