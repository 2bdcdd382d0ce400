import type { SpokenLine } from '../../speech/index.js';
import { isWhole, soundMs } from './speaking.js';
import type { EffectOf, SentSound } from './state.js';
import type { GrowingAudio, SessionTransport } from './transport.js';

interface SendParts {
  readonly transport: SessionTransport;
  readonly sampleOffset: number;
  /** Aborted when nobody wants the rest. */
  readonly signal: AbortSignal;
  /** Of a line that is sent while it is made: the whole, once the record has it; null when it failed, which ended the episode. */
  readonly voiced: Promise<SpokenLine | null>;
  /** Asked when the sound has been sent. */
  readonly standing: () => { readonly over: boolean; readonly interrupted: boolean };
}

/** One utterance of the customer's, from its `customer.start` to its `customer.end`. Rejects when its sound cannot be sent. */
export async function sendUtterance(
  effect: EffectOf<'deliver'>,
  { transport, sampleOffset, signal, voiced, standing }: SendParts,
): Promise<SentSound | null> {
  const { turn, utterance, line, growing, aside, callSample, samples: limit } = effect;
  let { spoken } = effect;
  const form = spoken === null && growing === undefined ? 'text' : 'speech';
  transport.send({
    ...{ type: 'customer.start', turn, utterance, form, sampleOffset },
    ...(aside === undefined ? {} : { aside }),
    ...(callSample === undefined ? {} : { callSample }),
  });
  let sound: SentSound | null = null;
  if (growing !== undefined) {
    sound = await sendGrowing({ utterance, clip: growing.growing, sampleOffset, signal }, transport);
    spoken = await voiced;
  } else if (spoken !== null)
    sound = await transport.sendAudio({ utterance, ...spoken.clip, sampleOffset, signal, limit });
  else if (line.text !== '') transport.send({ type: 'customer.text', utterance, text: line.text });
  const { over, interrupted: brokenInto } = standing();
  if (over) return sound;
  const gaveUp = limit !== undefined && limit < (sound?.wholeSamples ?? 0);
  const interrupted = brokenInto || gaveUp;
  transport.send({
    ...{ type: 'customer.end', turn, utterance, samples: sound?.samples ?? 0, interrupted },
    durationMs: isWhole(sound) && !interrupted ? (spoken?.durationMs ?? 0) : soundMs(sound),
    final: line.end !== undefined,
  });
  return sound;
}

async function sendGrowing(audio: GrowingAudio, transport: SessionTransport): Promise<SentSound> {
  if (transport.sendGrowing === undefined) throw new TypeError('this transport sends only whole clips');
  return transport.sendGrowing(audio);
}
