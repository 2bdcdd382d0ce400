import type { Task } from '../../retail/index.js';
import { canonicalJson, sha256Hex } from '../../shared/index.js';

/** SHA-256 of what a task asks for. Its name, splits and labels do not count: a renamed copy is the same task. */
export function taskHash(task: Task): string {
  const { id: _id, splits: _splits, tags: _tags, difficulty: _difficulty, ...content } = task;
  return sha256Hex(canonicalJson(content));
}
