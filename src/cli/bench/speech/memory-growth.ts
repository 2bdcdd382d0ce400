import type { Speaker } from '../../../speech/index.js';

export interface MemoryGrowth {
  readonly utterances: number;
  /** Least memory in the second and in the last quarter of them: garbage comes and goes, what is kept stays. */
  readonly earlyBytes: number;
  readonly lateBytes: number;
}

interface GrowthOptions {
  readonly utterances: number;
  /** Memory of the process now. */
  readonly residentBytes: () => number | Promise<number>;
  /** Lines asked for at once. */
  readonly atOnce?: number;
}

/** Short, and each different from all others. */
const lineOf = (utterance: number): string => `It is order W${4_000_000 + 7919 * utterance}.`;

/**
 * Speaks so many different lines and compares the memory early, when caches and threads have their size, with the memory late.
 * Something kept of every line shows as half of all lines times its size.
 */
export async function measureGrowth(speaker: Speaker, options: GrowthOptions): Promise<MemoryGrowth> {
  const { utterances, residentBytes, atOnce = 4 } = options;
  const quarters = [1, 2, 3, 4].map(() => Number.POSITIVE_INFINITY);
  for (let first = 0; first < utterances; first += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, utterances - first) }, (_, i) => first + i);
    await Promise.all(
      numbers.map((utterance) =>
        speaker.speak(lineOf(utterance), speaker.chooseVoice(utterance), { seed: utterance, utterance }),
      ),
    );
    const quarter = Math.floor((4 * first) / utterances);
    quarters[quarter] = Math.min(quarters[quarter] ?? 0, await residentBytes());
  }
  return { utterances, earlyBytes: quarters[1] ?? 0, lateBytes: quarters[3] ?? 0 };
}
