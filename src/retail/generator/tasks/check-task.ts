import type { RetailDomain, WorldSession } from '../../contract.js';
import { overlayOf } from '../../session.js';
import type { Task, ToolCall } from '../../task.js';
import { groundTruthOf } from '../../verifier/ground-truth.js';
import { endStatesDiffer } from './end-states.js';
import { type WrongVariant, wrongVariants } from './wrong-variants.js';

function play(domain: RetailDomain, calls: readonly ToolCall[]): WorldSession {
  const session = domain.openSession();
  for (const { name, arguments: args } of calls) session.call(name, args);
  return session;
}

/** Would the variant pass for a right episode? A required fact that is not said fails it, and so does another end state. */
function passes(domain: RetailDomain, task: Task, { calls, says }: WrongVariant): boolean {
  if (!says && task.communicate.length > 0) return false;
  return !endStatesDiffer(overlayOf(play(domain, calls)), groundTruthOf(domain, task).endState);
}

/** Does a request ask what a gift card holds, while the right calls move money on one? Then two answers are right. */
function balanceMoves(domain: RetailDomain, task: Task): boolean {
  if (!task.tags.includes('refuse-short-gift-card') && !task.tags.includes('ask-balance')) return false;
  const after = groundTruthOf(domain, task).endState.user(task.userId ?? '');
  const before = domain.world.users.get(task.userId ?? '');
  return JSON.stringify(after?.payment_methods) !== JSON.stringify(before?.payment_methods);
}

/**
 * What is wrong with a task, in lines for people; none for a sound one. Its right calls must succeed, and each of its
 * wrong variants must fail under `tau2`.
 */
export function findTaskFaults(domain: RetailDomain, task: Task): string[] {
  return [
    ...groundTruthOf(domain, task).faults.map(({ error }) => `a right call fails: ${error}`),
    ...(balanceMoves(domain, task) ? ['the answer depends on when the gift card is asked about'] : []),
    ...wrongVariants(task, domain.world)
      .filter((variant) => passes(domain, task, variant))
      .map((variant) => `a wrong episode passes: ${variant.name}`),
  ];
}
