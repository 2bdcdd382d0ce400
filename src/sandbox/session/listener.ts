import { encodeWav } from '../../audio/index.js';
import type { RecordSink } from '../../episodes/index.js';
import { sha256Hex } from '../../shared/index.js';
import type { HeardSaying, Said } from './state.js';

/** Makes text of what an agent said by voice. */
export interface Transcriber {
  readonly name: string;
  /** Mono PCM16 → what was said; an empty string when nothing was. */
  transcribe(pcm: { readonly samples: Int16Array; readonly sampleRateHz: number }): Promise<string>;
}

/** Keeps the agent's sound beside the record, then finds the words: those it sent, those that are heard, those it claims. */
export async function listen(
  { text, speech, reasoning }: Said,
  { sink, transcriber }: { readonly sink: RecordSink; readonly transcriber: Transcriber | null },
): Promise<HeardSaying> {
  if (speech === null) return { text: text ?? '', reasoning, audio: null, transcript: null };
  const { samples, sampleRateHz, transcript } = speech;
  const wav = encodeWav({ samples, sampleRateHz });
  const sha256 = sha256Hex(wav);
  await sink.audio(sha256, wav);
  const durationMs = Math.round((samples.length * 1000) / sampleRateHz);
  const audio = { sha256, sampleRateHz, samples: samples.length, durationMs };
  const heard = text ?? (await transcriber?.transcribe({ samples, sampleRateHz })) ?? transcript ?? '';
  return { text: heard, reasoning, audio, transcript };
}
