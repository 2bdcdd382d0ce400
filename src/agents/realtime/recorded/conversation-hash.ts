import { pcm16ToBytes } from '../../../protocol/index.js';
import { canonicalJson, sha256Hex } from '../../../shared/index.js';
import type { SessionPlan } from '../dialect.js';
import type { HistoryEntry } from '../history.js';
import type { Sound } from '../wire-audio.js';

/** Of samples and rate, so that a clip need not be kept. */
export function soundHash({ samples, sampleRateHz }: Sound): string {
  return sha256Hex(`${sampleRateHz} ${sha256Hex(pcm16ToBytes(samples))}`);
}

function outlineOf(entry: HistoryEntry): unknown {
  if (entry.kind !== 'customer') return entry;
  // Transcripts come when they come: two runs of the same conversation may differ in them.
  return { kind: 'customer', text: entry.text, sound: entry.sound === null ? null : soundHash(entry.sound) };
}

/**
 * What a realtime model was told so far, as one number that grows with it: each entry is hashed onto what was before. Model,
 * voice and the like are left out of it, as they are how it is said and not what.
 */
export class ConversationHash {
  readonly #scope: string;
  #chain: string;

  constructor(scope: string) {
    this.#scope = scope;
    this.#chain = sha256Hex(scope);
  }

  get scope(): string {
    return this.#scope;
  }

  plan({ instructions, tools }: SessionPlan): void {
    this.#chain = sha256Hex(canonicalJson([this.#chain, instructions, tools]));
  }

  add(entry: HistoryEntry): void {
    this.#chain = sha256Hex(canonicalJson([this.#chain, outlineOf(entry)]));
  }

  /** Of what is asked now. @param breakInAtMs where the customer is going to break in */
  request(breakInAtMs: number | null): string {
    return sha256Hex(canonicalJson([this.#chain, breakInAtMs]));
  }
}
