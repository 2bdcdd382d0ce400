import { isWhole, soundMs } from './speaking.js';
import type { EffectOf, SentSound } from './state.js';
import type { SessionTransport } from './transport.js';

interface SendParts {
  readonly transport: SessionTransport;
  readonly sampleOffset: number;
  /** Aborted when nobody wants the rest. */
  readonly signal: AbortSignal;
  /** Asked when the sound has been sent. */
  readonly standing: () => { readonly over: boolean; readonly interrupted: boolean };
}

/** One utterance of the customer's, from its `customer.start` to its `customer.end`. Rejects when its sound cannot be sent. */
export async function sendUtterance(
  effect: EffectOf<'deliver'>,
  { transport, sampleOffset, signal, standing }: SendParts,
): Promise<SentSound | null> {
  const { turn, utterance, line, spoken, aside, callSample, samples: limit } = effect;
  transport.send({
    ...{ type: 'customer.start', turn, utterance, form: spoken === null ? 'text' : 'speech', sampleOffset },
    ...(aside === undefined ? {} : { aside }),
    ...(callSample === undefined ? {} : { callSample }),
  });
  let sound: SentSound | null = null;
  if (spoken !== null)
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
