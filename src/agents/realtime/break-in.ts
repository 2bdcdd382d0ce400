import { createRandom, deriveSeed } from '../../shared/index.js';
import type { Spoken } from './reply.js';
import { type Sound, soundMs } from './wire-audio.js';

/** The customer has heard at least so much before it breaks in, and at most this much more. */
const LEAST_MS = 600;
const SPAN_MS = 3_400;

/**
 * Where in the agent's n-th utterance the customer breaks in, in ms of its sound; null: it lets the agent finish. The same
 * seed breaks in at the same places.
 * @param share of utterances, 0 to 1
 */
export function breakInAt(seed: number, utterance: number, share: number): number | null {
  const random = createRandom(deriveSeed(seed, 'break-in', utterance));
  return random.next() < share ? LEAST_MS + Math.floor(random.next() * SPAN_MS) : null;
}

export interface Heard {
  /** What was said, as far as it was heard. */
  readonly spoken: readonly Spoken[];
  /** Words that came from the server and were not heard. */
  readonly unheard: string;
  /** Where the server's own memory must be cut, and which items it must forget. */
  readonly cut: { readonly itemId: string; readonly heardMs: number } | null;
  readonly removed: readonly string[];
}

/** About 15 letters a second. Transcripts run ahead of their sound, so the sound that has come does not tell how long they last. */
const MS_PER_LETTER = 66;

/** As many whole words as fit the share of the sound that was heard. No timing comes with the transcript. */
function splitWords(text: string, share: number): readonly [string, string] {
  const words = text.split(/\s+/);
  const count = Math.min(words.length, Math.max(1, Math.floor(words.length * share)));
  return [words.slice(0, count).join(' '), words.slice(count).join(' ')];
}

function cutSound({ samples, sampleRateHz }: Sound, toMs: number): Sound {
  return { samples: samples.slice(0, Math.round((toMs * sampleRateHz) / 1000)), sampleRateHz };
}

/** What is left of a reply of which only the first `heardMs` were heard. */
export function cutToHeard(spoken: readonly Spoken[], heardMs: number): Heard {
  const kept: Spoken[] = [];
  const unheard: string[] = [];
  const removed: string[] = [];
  let cut: Heard['cut'] = null;
  let leftMs = heardMs;
  for (const item of spoken) {
    const lengthMs = item.sound === null ? 0 : soundMs(item.sound);
    if (leftMs <= 0) {
      removed.push(item.itemId);
      unheard.push(item.text);
    } else if (item.sound === null || lengthMs < leftMs) {
      kept.push(item);
    } else {
      const wholeMs = Math.max(lengthMs, item.text.length * MS_PER_LETTER);
      const [heardText, rest] = splitWords(item.text, leftMs / wholeMs);
      kept.push({ itemId: item.itemId, text: heardText, sound: cutSound(item.sound, leftMs) });
      unheard.push(rest);
      cut = { itemId: item.itemId, heardMs: leftMs };
    }
    leftMs -= lengthMs;
  }
  return { spoken: kept, unheard: unheard.filter((words) => words !== '').join(' '), cut, removed };
}
