import { canonicalJson, sha256Hex } from '../../../shared/index.js';
import type { Task } from '../../task.js';
import { callKey } from '../../verifier/call-key.js';

const IDENTIFICATION = new Set(['find_user_id_by_email', 'find_user_id_by_name_zip', 'get_user_details']);

/** What the right calls change, whoever asks in whatever words: writes as the verifier compares them. */
function actKeys(task: Task): string[] {
  return task.groundTruth
    .filter(({ name }) => !IDENTIFICATION.has(name))
    .map(({ name, arguments: args }) =>
      // The words of a summary say nothing about what was done.
      callKey({ name, arguments: name === 'transfer_to_human_agents' ? {} : args }),
    )
    .toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/**
 * A hash of what a task is about, words and ids left out: the customer, what each request is for and what should
 * come of it, the calls that answer it, what has to be said. Two tasks with one hash are the same task.
 */
export function contentKey(task: Task): string {
  const requests = (task.scenario?.requests ?? []).map(({ goal, expected }) => `${goal} ${expected}`);
  return sha256Hex(
    canonicalJson([
      task.userId ?? task.instruction,
      actKeys(task),
      requests.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
      task.communicate.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
    ]),
  );
}
