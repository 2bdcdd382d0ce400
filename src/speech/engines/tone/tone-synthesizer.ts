import { SpeechClosedError, SynthesisError } from '../../errors.js';
import type { Synthesizer } from '../../synthesizer.js';
import { spokenWords, type WordTime } from '../../word-times.js';

const SAMPLE_RATE_HZ = 16_000;
const LETTER_MS = 40;
const GAP_MS = 60;
const AMPLITUDE = 0.3 * 32767;
const FADE_SAMPLES = 80;

/** Pitch of a word: its letters' sum picks one of 24 semitones above the base, so equal words sound equal. */
function wordFrequencyHz(word: string, baseHz: number): number {
  let sum = 0;
  for (const letter of word.toLowerCase()) sum += letter.codePointAt(0) ?? 0;
  return baseHz * 2 ** ((sum % 24) / 12);
}

function writeTone(samples: Int16Array, start: number, tone: { length: number; frequencyHz: number }): void {
  const { length, frequencyHz } = tone;
  for (let i = 0; i < length; i += 1) {
    const fade = Math.min(1, (i + 1) / FADE_SAMPLES, (length - i) / FADE_SAMPLES);
    const phase = (2 * Math.PI * frequencyHz * i) / SAMPLE_RATE_HZ;
    samples[start + i] = Math.round(AMPLITUDE * fade * Math.sin(phase));
  }
}

/**
 * A stand-in for tests: one tone per word, as long as its letters, higher or slower as the voice asks. Nobody understands it,
 * but it is quick, needs no WebAssembly and keeps the contract: same request, same bytes; nothing to say is a `SynthesisError`.
 */
export function createToneSynthesizer(): Synthesizer {
  let closed = false;
  return {
    name: 'tone/1',
    async synthesize({ spoken, voice }) {
      if (closed) throw new SpeechClosedError();
      const words = spokenWords(spoken);
      if (words.length === 0) {
        throw new SynthesisError(
          `nothing to say: expected a text with a word in it; got ${JSON.stringify(spoken)}`,
        );
      }
      const sampleCount = (durationMs: number): number =>
        Math.round((durationMs * voice.durationStretch * SAMPLE_RATE_HZ) / 1000);
      const gap = sampleCount(GAP_MS);
      const lengths = words.map((word) => sampleCount(LETTER_MS * word.length));
      const samples = new Int16Array(lengths.reduce((sum, length) => sum + length + gap, gap));
      const times: WordTime[] = [];
      let at = gap;
      words.forEach((word, i) => {
        const length = lengths[i] as number;
        writeTone(samples, at, { length, frequencyHz: wordFrequencyHz(word, voice.pitchMeanHz ?? 150) });
        times.push([word, at, at + length]);
        at += length + gap;
      });
      return { samples, sampleRateHz: SAMPLE_RATE_HZ, words: times };
    },
    async close() {
      closed = true;
    },
  };
}
