import type { Task } from '../../retail/index.js';
import { canonicalJson, sha256Hex } from '../../shared/index.js';

/** Rollouts of a task are read one after the other, each with a copy of it. */
const kept = new Map<string, string>();
const MAX_KEPT = 64;

/** SHA-256 of what a task asks for. Its name, splits and labels do not count: a renamed copy is the same task. */
export function taskHash(task: Task): string {
  const key = JSON.stringify(task);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const { id: _id, splits: _splits, tags: _tags, difficulty: _difficulty, ...content } = task;
  const hash = sha256Hex(canonicalJson(content));
  for (const oldest of kept.keys()) {
    if (kept.size < MAX_KEPT) break;
    kept.delete(oldest);
  }
  kept.set(key, hash);
  return hash;
}
