import { decodeWav } from '../../../audio/index.js';
import { SpeechClosedError } from '../../errors.js';
import type { Synthesizer, Voice } from '../../synthesizer.js';
import { audibleClip, sayableText } from '../audible-clip.js';
import { type EspeakOptions, espeakVoiceArgs, openEspeak } from './espeak-program.js';

const WORDS_PER_MINUTE = 175;
/** The program's pitch is 0 to 99: half to twice the voice's own at 50, which for most is near 100 Hz. */
const OWN_PITCH = 50;
const OWN_PITCH_HZ = 100;

function proseArgs({ engineVoice, durationStretch, pitchMeanHz }: Voice): string[] {
  const pitch = OWN_PITCH + (pitchMeanHz === null ? 0 : OWN_PITCH * Math.log2(pitchMeanHz / OWN_PITCH_HZ));
  return [
    ...espeakVoiceArgs(engineVoice),
    ...['-s', String(Math.round(WORDS_PER_MINUTE / durationStretch))],
    ...['-p', String(Math.round(Math.min(99, Math.max(0, pitch))))],
    '--stdout',
  ];
}

/** Over a hundred voices and accents of the user's espeak-ng, a process for each line. Same request, same bytes. */
export async function createEspeakSynthesizer(options: EspeakOptions): Promise<Synthesizer> {
  const espeak = await openEspeak(options);
  let closed = false;
  return {
    name: `espeak-ng/${espeak.version}`,
    async synthesize({ spoken, voice }) {
      if (closed) throw new SpeechClosedError();
      const text = sayableText(spoken);
      const wav = await espeak.run(proseArgs(voice), text);
      // An unknown voice is a message and exit code 0.
      return audibleClip(
        wav.length === 0 ? { samples: new Int16Array(0), sampleRateHz: 22_050 } : decodeWav(wav),
        spoken,
        `espeak-ng (voice ${voice.engineVoice})`,
      );
    },
    async close() {
      closed = true;
    },
  };
}
