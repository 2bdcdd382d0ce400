import { describeError } from '../../shared/index.js';
import type { SpokenLine } from '../../speech/index.js';
import { sendUtterance } from './send-utterance.js';
import type { EffectOf, EventOf } from './state.js';
import type { SessionTransport } from './transport.js';

interface MouthParts {
  readonly transport: SessionTransport;
  /** Tells the session what has become of an utterance. */
  readonly tell: (event: EventOf<'voiced' | 'voice_failed' | 'delivered'>) => void;
  readonly log: (message: string) => void;
  readonly standing: () => { readonly over: boolean; readonly interrupted: boolean };
}

/** Says the customer's utterances, one after the other, on the stream's clock. */
export class Mouth {
  readonly #parts: MouthParts;
  /** Aborted when nobody wants the rest of the utterance that is being sent. */
  #speaking = new AbortController();
  #sentSamples = 0;

  constructor(parts: MouthParts) {
    this.#parts = parts;
  }

  /** What keeps the rest of the utterance of now from being sent; later ones do not mind. */
  get hush(): () => void {
    return this.#speaking.abort.bind(this.#speaking);
  }

  /** Rejects when its sound cannot be sent. */
  async say(effect: EffectOf<'deliver'>): Promise<void> {
    const { transport, standing, tell } = this.#parts;
    const sound = await sendUtterance(effect, {
      ...{ transport, standing, voiced: this.#takeWhole(effect) },
      ...{ sampleOffset: this.#sentSamples, signal: this.#speaking.signal },
    });
    this.#sentSamples += sound?.samples ?? 0;
    this.#speaking = new AbortController();
    // In the same turn in which the agent got `customer.end`: it may answer at once.
    tell({ type: 'delivered', generation: effect.generation, sound });
  }

  /** Never rejects. */
  async #takeWhole({ growing }: EffectOf<'deliver'>): Promise<SpokenLine | null> {
    if (growing === undefined) return null;
    const { tell, log } = this.#parts;
    try {
      const spoken = await growing.whole;
      tell({ type: 'voiced', spoken });
      return spoken;
    } catch (error) {
      const detail = describeError(error);
      log(`platform_failed: ${detail}`);
      tell({ type: 'voice_failed', detail });
      return null;
    }
  }
}
