import { createRandom, deriveSeed, type Random } from '../../../shared/index.js';
import type { AgentAssignment, FaultKind } from '../../agent.js';

/** What a faulty episode is going to get wrong. Which kind is possible shows only when the write is reached. */
export interface FaultPlan {
  /** To be tried in this order at the chosen write. */
  readonly kinds: readonly FaultKind[];
  /** Index of the write that goes wrong. */
  readonly write: number;
  /** Whether a wrong item or payment is announced (vaguely) before the call, or only done. */
  readonly announced: boolean;
  readonly random: Random;
  /** Whether the oracle sticks to the fault when a live judge breaks in; else it thinks better of it. */
  readonly insists: boolean;
}

/** Share of faulty episodes in which it does. */
const STUBBORNNESS = 0.25;

const NEED_A_WRITE: readonly FaultKind[] = [
  'wrong_item',
  'wrong_payment',
  'no_confirmation',
  'forgotten_step',
  'early_end',
];
const ALWAYS: readonly FaultKind[] = ['needless_write', 'invented_tool'];

/** Decides by agent seed, episode seed, task and trial whether the episode has a fault, and where. */
export function planFault(
  { faultRate, seed }: { readonly faultRate: number; readonly seed: number },
  assignment: AgentAssignment,
  writes: number,
): FaultPlan | null {
  const { task, trial } = assignment;
  // The mode is left out on purpose: text and speech get the same faults.
  const random = createRandom(deriveSeed('oracle', seed, assignment.seed, task, trial));
  if (!random.chance(faultRate)) return null;
  const kinds = random.shuffle(writes > 0 ? [...NEED_A_WRITE, ...ALWAYS] : ALWAYS);
  const write = writes > 0 ? random.int(0, writes - 1) : 0;
  const announced = random.chance(0.5);
  // A stream of its own, so that faults are the same with and without a live judge.
  const insists = createRandom(deriveSeed('oracle insists', seed, assignment.seed, task, trial)).chance(
    STUBBORNNESS,
  );
  return { kinds, write, announced, random, insists };
}
