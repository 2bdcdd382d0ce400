import type { ToolCall } from '../../../retail/index.js';
import { argumentsEqual } from '../../rewards/deep-equal.js';
import { type Slot, slotOf } from './naming.js';

/** One point in which a call differs from the ground truth's. */
export interface Conflict {
  readonly slot: Slot;
  /** What the call holds and the ground truth does not; null: something was left out. */
  readonly wrong: string | null;
  /** What the ground truth holds in its place; null: the thing should not be there at all. */
  readonly right: string | null;
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
}

/** Items: left out, too many, or with another replacement than in the ground truth. */
function itemConflicts(call: ToolCall, gold: ToolCall): Conflict[] {
  const [items, goldItems] = [listOf(call.arguments.item_ids), listOf(gold.arguments.item_ids)];
  const [news, goldNews] = [listOf(call.arguments.new_item_ids), listOf(gold.arguments.new_item_ids)];
  const extra = items.filter((item) => !goldItems.includes(item));
  const left = goldItems.filter((item) => !items.includes(item));
  const conflicts: Conflict[] = extra.map((wrong, place) => ({
    slot: 'item',
    wrong,
    right: left[place] ?? null,
  }));
  for (const right of left.slice(extra.length)) conflicts.push({ slot: 'item', wrong: null, right });
  for (const [place, item] of items.entries()) {
    const goldPlace = goldItems.indexOf(item);
    const [wrong, right] = [news[place], goldNews[goldPlace]];
    if (goldPlace >= 0 && wrong !== undefined && right !== undefined && wrong !== right)
      conflicts.push({ slot: 'item', wrong, right });
  }
  return conflicts;
}

/** In what a call differs from the ground-truth call it stands for; never empty for calls that are not equal. */
export function conflictsBetween(call: ToolCall, gold: ToolCall): Conflict[] {
  const conflicts = itemConflicts(call, gold);
  for (const name of new Set([...Object.keys(gold.arguments), ...Object.keys(call.arguments)])) {
    if (name === 'item_ids' || name === 'new_item_ids') continue;
    const [mine, theirs] = [call.arguments[name], gold.arguments[name]];
    if (argumentsEqual(mine, theirs)) continue;
    conflicts.push({
      slot: slotOf(name),
      wrong: mine === undefined || mine === '' ? null : String(mine),
      right: theirs === undefined || theirs === '' ? null : String(theirs),
    });
  }
  return conflicts;
}
