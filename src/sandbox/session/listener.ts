import { encodeWav } from '../../audio/index.js';
import { sha256Hex } from '../../shared/index.js';
import { talkOf } from '../duplex/agent-talk.js';
import type { SessionParts } from './parts.js';
import type { HeardSaying, Said } from './state.js';

/** Makes text of what an agent said by voice. */
export interface Transcriber {
  readonly name: string;
  /** Mono PCM16 → what was said; an empty string when nothing was. */
  transcribe(pcm: { readonly samples: Int16Array; readonly sampleRateHz: number }): Promise<string>;
}

/** With turn-taking it is also found out when it is heard. */
export async function listen(said: Said, parts: ListenParts): Promise<HeardSaying> {
  const heard = await understand(said, parts);
  const { duplex } = parts;
  if (duplex === undefined) return heard;
  const { sampleRateHz } = duplex.opening.turns;
  const talk = await talkOf(
    { text: heard.text, speech: said.speech },
    { sampleRateHz, detector: await duplex.openDetector() },
  );
  const { silentMs = 0, yieldMs = 0, heardFrom: startSample, toldAt } = said;
  const live = startSample === undefined || toldAt === undefined ? undefined : { startSample, toldAt };
  return { ...heard, delivery: { talk, silentMs, yieldMs, live } };
}

type ListenParts = Pick<SessionParts, 'sink' | 'transcriber' | 'duplex'>;

/** Keeps the agent's sound beside the record, then finds the words: those it sent, those that are heard, those it claims. */
async function understand(
  { text, speech, reasoning }: Said,
  { sink, transcriber }: ListenParts,
): Promise<HeardSaying> {
  if (speech === null) return { text: text ?? '', reasoning, audio: null, transcript: null };
  const { samples, sampleRateHz, transcript } = speech;
  const wav = encodeWav({ samples, sampleRateHz });
  const sha256 = sha256Hex(wav);
  await sink.audio(sha256, wav);
  const durationMs = Math.round((samples.length * 1000) / sampleRateHz);
  const audio = { sha256, sampleRateHz, samples: samples.length, durationMs };
  const heard = text ?? (await transcriber?.transcribe({ samples, sampleRateHz })) ?? transcript ?? '';
  return { text: heard, reasoning, audio, transcript, words: speech.words };
}
