import { decodeWav, type Pcm } from '../../../audio/index.js';
import { SpeechClosedError } from '../../errors.js';
import type { Synthesizer, Voice } from '../../synthesizer.js';
import { moveWords, type WordTime } from '../../word-times.js';
import { audibleClip, sayableText } from '../audible-clip.js';
import { type EspeakOptions, espeakVoiceArgs, openEspeak } from './espeak-program.js';
import { hasKoffi, wordsOfTimes } from './espeak-times.js';

const WORDS_PER_MINUTE = 175;
/** The program's pitch is 0 to 99: half to twice the voice's own at 50, which for most is near 100 Hz. */
const OWN_PITCH = 50;
const OWN_PITCH_HZ = 100;

function settingsOf({ durationStretch, pitchMeanHz }: Voice) {
  const pitch = OWN_PITCH + (pitchMeanHz === null ? 0 : OWN_PITCH * Math.log2(pitchMeanHz / OWN_PITCH_HZ));
  return {
    wordsPerMinute: Math.round(WORDS_PER_MINUTE / durationStretch),
    pitch: Math.round(Math.min(99, Math.max(0, pitch))),
  };
}

function proseArgs(voice: Voice): string[] {
  const { wordsPerMinute, pitch } = settingsOf(voice);
  return [
    ...espeakVoiceArgs(voice.engineVoice),
    ...['-s', String(wordsPerMinute), '-p', String(pitch), '--stdout'],
  ];
}

/**
 * Over a hundred voices and accents of the user's espeak-ng, a process for each line. Same request, same bytes. With the package
 * koffi a second process says when words are heard; if that fails, or is not of the same sound, the line has no times.
 */
export async function createEspeakSynthesizer(options: EspeakOptions): Promise<Synthesizer> {
  const espeak = await openEspeak(options);
  const timed = hasKoffi();
  let closed = false;

  async function timesOf(text: string, voice: Voice, pcm: Pcm): Promise<readonly WordTime[] | undefined> {
    if (!timed || pcm.samples.length === 0) return undefined;
    const job = { text, voice: voice.engineVoice, ...settingsOf(voice) };
    const printed = await espeak.runTimes(job).catch(() => null);
    return printed === null ? undefined : wordsOfTimes(printed, { text, pcm });
  }

  return {
    ...(timed ? { identify: async () => `espeak-ng ${espeak.version}, words timed` } : {}),
    name: `espeak-ng/${espeak.version}`,
    async synthesize({ spoken, voice }) {
      if (closed) throw new SpeechClosedError();
      const text = sayableText(spoken);
      const wav = await espeak.run(proseArgs(voice), text);
      // An unknown voice is a message and exit code 0.
      const pcm = wav.length === 0 ? { samples: new Int16Array(0), sampleRateHz: 22_050 } : decodeWav(wav);
      const clip = audibleClip(pcm, spoken, `espeak-ng (voice ${voice.engineVoice})`);
      const words = await timesOf(text, voice, pcm);
      if (words === undefined) return clip;
      return { ...clip, words: moveWords(words, { ratio: clip.sampleRateHz / pcm.sampleRateHz }) };
    },
    async close() {
      closed = true;
    },
  };
}
