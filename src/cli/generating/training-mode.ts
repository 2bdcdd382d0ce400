import type { Mode } from '../../protocol/index.js';
import { createRandom, deriveSeed } from '../../shared/index.js';

/** `s&t`: speech users and text users; `t-only`: text users; `both`: a dataset of each over the same tasks and customers. */
export type TrainingMode = 's&t' | 't-only' | 'both';

/** Which tasks are played how, and which of those episodes stand in which dataset. */
export interface TrainingPlan {
  /** Tasks to play, by mode. */
  readonly play: Readonly<Record<Mode, readonly string[]>>;
  /** Datasets by the name of their folder; tasks by mode. */
  readonly datasets: ReadonlyMap<string, Readonly<Record<Mode, readonly string[]>>>;
}

export interface TrainingPlanInput {
  readonly mode: TrainingMode;
  /** Share of the tasks of S&T that are spoken. */
  readonly speechShare: number;
  /** Every spoken task of S&T also stands in it as text, with the same seed and customer script. */
  readonly pairs: boolean;
  readonly seed: number;
}

/** Exactly the share, rounded, of the tasks; which ones depends on the seed alone. */
function spokenOf(tasks: readonly string[], { speechShare, seed }: TrainingPlanInput): Set<string> {
  const order = createRandom(deriveSeed('speech-share', seed)).shuffle(tasks);
  return new Set(order.slice(0, Math.round(speechShare * tasks.length)));
}

export function planTraining(tasks: readonly string[], input: TrainingPlanInput): TrainingPlan {
  const spoken = spokenOf(tasks, input);
  const speech = tasks.filter((task) => spoken.has(task));
  const mixed = { speech, text: input.pairs ? [...tasks] : tasks.filter((task) => !spoken.has(task)) };
  const plain = { speech: [], text: [...tasks] };
  switch (input.mode) {
    case 's&t':
      return { play: mixed, datasets: new Map([['s-t', mixed]]) };
    case 't-only':
      return { play: plain, datasets: new Map([['t-only', plain]]) };
    case 'both':
      return {
        play: { speech, text: [...tasks] },
        datasets: new Map([
          ['s-t', mixed],
          ['t-only', plain],
        ]),
      };
  }
}
