import { type ToolKind, toolKindByName } from '../../episodes/index.js';
import type { ToolCall } from '../../retail/index.js';
import type { CallTurn, EpisodeTurn } from '../turns.js';
import { type ArgumentEquality, canonicalArgument, canonicalEqual } from './deep-equal.js';
import type { TierTurn } from './tier.js';

export interface TierOptions {
  readonly equality?: ArgumentEquality;
  readonly toolKind?: (name: string) => ToolKind;
  /**
   * When a read that was made before is a duplicate. `since-change` (default): only if nothing was changed in between,
   * for looking again after a write is good practice. `ever`: always. A repeated change is always one.
   */
  readonly duplicateReads?: 'since-change' | 'ever';
}

type Arguments = Readonly<Record<string, unknown>>;

interface CanonicalCall {
  readonly name: string;
  readonly args: Arguments;
}

interface Soft {
  readonly gold: number;
  readonly share: number;
}

function canonicalCall(call: ToolCall, equality: ArgumentEquality): CanonicalCall {
  return { name: call.name, args: canonicalArgument(call.arguments, equality) as Arguments };
}

/** |arguments in common| / |ground-truth arguments|; 0 when the ground truth has none. */
function sharedArguments(call: CanonicalCall, gold: CanonicalCall, tolerance: number | undefined): number {
  const keys = Object.keys(gold.args);
  const common = keys.filter(
    (key) => Object.hasOwn(call.args, key) && canonicalEqual(call.args[key], gold.args[key], tolerance),
  );
  return keys.length === 0 ? 0 : common.length / keys.length;
}

/** Remembers calls that succeeded and knows which of the next ones repeat them. */
function createRepeats(toolKind: (name: string) => ToolKind, options: TierOptions) {
  const earlier: { call: CanonicalCall; changes: number }[] = [];
  let changes = 0;
  return {
    isRepeat: (call: CanonicalCall): boolean =>
      earlier.some(
        (made) =>
          made.call.name === call.name &&
          canonicalEqual(made.call.args, call.args, options.equality?.tolerance) &&
          (options.duplicateReads === 'ever' || toolKind(call.name) === 'state' || made.changes === changes),
      ),
    remember: (call: CanonicalCall): void => {
      if (toolKind(call.name) === 'state') changes += 1;
      earlier.push({ call, changes });
    },
  };
}

/**
 * Gives each turn its tier. Where several fit, the first of this list wins (the paper is silent):
 *  1. message: the agent spoke
 *  2. error: the call failed, or its result never came
 *  3. gold: equals a ground-truth call that no earlier turn took
 *  4. duplicate: equals an earlier call of the episode that succeeded (see `duplicateReads`)
 *  5. soft: shares at least one argument with a ground-truth call of the same tool that is still free
 *  6. read or state, by the tool's kind
 * One ground-truth call is matched at most once. Exact matches of the whole episode are given out first, so that a
 * near miss cannot take the call that a later turn gets right; then near misses in turn order, each the free call with
 * the largest share, the earliest where equal.
 */
export function tiersOf(
  turns: readonly EpisodeTurn[],
  groundTruth: readonly ToolCall[],
  options: TierOptions = {},
): TierTurn[] {
  const { equality = {}, toolKind = toolKindByName } = options;
  const gold = groundTruth.map((call) => canonicalCall(call, equality));
  const free = gold.map(() => true);
  const repeats = createRepeats(toolKind, options);
  const calls = turns.map((turn) => (turn.kind === 'call' ? canonicalCall(turn.call, equality) : null));
  const succeeded = (turn: EpisodeTurn): turn is CallTurn => turn.kind === 'call' && turn.ok === true;

  const firstPass = turns.map((turn, index): TierTurn | null => {
    const call = calls[index];
    if (turn.kind === 'message') return { tier: 'message', share: 0, matched: null };
    if (call === null || call === undefined || !succeeded(turn))
      return { tier: 'error', share: 0, matched: null };
    const match = gold.findIndex(
      (wanted, place) =>
        free[place] === true &&
        wanted.name === call.name &&
        canonicalEqual(call.args, wanted.args, equality.tolerance),
    );
    const repeat = repeats.isRepeat(call);
    repeats.remember(call);
    if (match >= 0) {
      free[match] = false;
      return { tier: 'gold', share: 1, matched: match };
    }
    return repeat ? { tier: 'duplicate', share: 0, matched: null } : null;
  });

  return firstPass.map((tier, index): TierTurn => {
    const call = calls[index];
    if (tier !== null) return tier;
    if (call === null || call === undefined) return { tier: 'message', share: 0, matched: null };
    let best: Soft | null = null;
    gold.forEach((wanted, place) => {
      if (free[place] !== true || wanted.name !== call.name) return;
      const share = sharedArguments(call, wanted, equality.tolerance);
      if (share > (best?.share ?? 0)) best = { gold: place, share };
    });
    const soft = best as Soft | null;
    if (soft === null) return { tier: toolKind(call.name), share: 0, matched: null };
    free[soft.gold] = false;
    return { tier: 'soft', share: soft.share, matched: soft.gold };
  });
}
