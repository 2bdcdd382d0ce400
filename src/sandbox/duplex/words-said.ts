import { toSpokenForm } from '../../speech/index.js';
import { letterCount } from './agent-talk.js';

interface Stretch {
  readonly startSample: number;
  readonly endSample: number;
}

/** Samples of speech before a sample. */
function spokenBefore(talks: readonly Stretch[], sample: number): number {
  return talks.reduce(
    (sum, { startSample, endSample }) => sum + Math.max(0, Math.min(endSample, sample) - startSample),
    0,
  );
}

/**
 * The words that were over by this sample. Engines give no times, so each word gets the share of the time spoken that its
 * letters have of all letters, in spoken form: "$129.95" lasts longer than "cat". A word that was begun is not counted.
 */
export function wordsSaid(said: string, talks: readonly Stretch[], sample: number): string {
  const text = said.trim();
  const all = spokenBefore(talks, Number.POSITIVE_INFINITY);
  const share = all === 0 ? 0 : spokenBefore(talks, sample) / all;
  if (share >= 1) return text;
  const words = text.split(/(?<=\S)(?=\s)/);
  const letters = words.map((word) => letterCount(toSpokenForm(word)));
  const limit = share * letters.reduce((sum, count) => sum + count, 0);
  let before = 0;
  const heard = words.findIndex((_, place) => {
    before += letters[place] ?? 0;
    return before > limit + 1e-6;
  });
  return heard < 0 ? text : words.slice(0, heard).join('');
}
