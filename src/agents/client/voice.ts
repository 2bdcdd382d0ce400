import { encodeMuLaw } from '../../audio/index.js';
import { encodeAudioFrame, pcm16ToBytes, type SampleFormat } from '../../protocol/index.js';

/** The agent's own voice: mono, in a format that `hello` offers. */
export interface AgentVoice {
  /** PCM16, shape [n]. */
  readonly samples: Int16Array;
  /** 8000, 16000 or 24000; for `mulaw` 8000. */
  readonly sampleRateHz: number;
  /** How it travels. Default pcm16. */
  readonly encoding?: SampleFormat['encoding'] | undefined;
  /** The words, for a sandbox that cannot transcribe. */
  readonly transcript?: string | undefined;
  /** When each word is heard, as written or as spoken: the word, its first sample, the first behind it. */
  readonly words?: readonly (readonly [word: string, startSample: number, endSample: number])[] | undefined;
}

/** Far below what a server takes in one message. */
const SAMPLES_PER_FRAME = 16_000;

/** The messages of one upload, in order: start, frames, end. */
export function uploadOf(voice: AgentVoice, speech: number): (string | Uint8Array)[] {
  const { samples, sampleRateHz, encoding = 'pcm16', transcript, words } = voice;
  const frames: Uint8Array[] = [];
  for (let at = 0; at < samples.length; at += SAMPLES_PER_FRAME) {
    const piece = samples.subarray(at, at + SAMPLES_PER_FRAME);
    const data = encoding === 'mulaw' ? encodeMuLaw(piece) : pcm16ToBytes(piece);
    frames.push(encodeAudioFrame({ kind: 'agent', seq: 0, utterance: speech, sampleOffset: at, data }));
  }
  return [
    JSON.stringify({ type: 'agent.speech.start', speech, audio: { encoding, sampleRateHz } }),
    ...frames,
    JSON.stringify({ type: 'agent.speech.end', speech, samples: samples.length, transcript, words }),
  ];
}
