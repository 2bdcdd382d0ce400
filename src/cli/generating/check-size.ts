import { UsageError } from '../../shared/index.js';

/** What `--tasks` allows. */
export const MAX_TASKS = 100_000;
/** All of a batch's plan is held in memory; the papers' recipe is 7,680 episodes. */
const MAX_EPISODES = 2_000_000;
/** Tasks that "curriculum show" lays out at once: more is minutes of work, and no text to read. */
const MAX_SHOWN = 1_000_000;

const shown = (count: number): string => count.toLocaleString('en-US');

interface Size {
  readonly tasks: number;
  readonly episodes: number;
}

/** @param remedy how to ask for less @throws UsageError for more than can be made in one go */
export function checkPlayedSize({ tasks, episodes }: Size, remedy: string): void {
  if (tasks > MAX_TASKS)
    throw new UsageError(
      'bad-option',
      `expected at most ${shown(MAX_TASKS)} tasks in one go; these are ${shown(tasks)}. ${remedy}`,
    );
  if (episodes > MAX_EPISODES)
    throw new UsageError(
      'bad-option',
      `expected at most ${shown(MAX_EPISODES)} episodes in one go; these are ${shown(episodes)}. ${remedy}`,
    );
}

/** @throws UsageError for more than can be shown */
export function checkShownSize({ tasks }: Pick<Size, 'tasks'>): void {
  if (tasks > MAX_SHOWN)
    throw new UsageError(
      'bad-option',
      `expected at most ${shown(MAX_SHOWN)} tasks to show; these steps hold ${shown(tasks)}. Look at the first ones with --steps`,
    );
}
