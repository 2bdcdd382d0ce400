import type { Task } from '../../retail/index.js';
import { createRandom, deriveSeed } from '../../shared/index.js';
import { hardenTask } from './vary-task.js';

export interface Rewritten {
  readonly task: Task;
  /** "rules", "model", or "rules, for the model's …" with why. */
  readonly by: string;
}

/** Makes instructions harder; what is right stays the same. */
export interface Rewriter {
  /** What decides its words, e.g. "rules" or a model's name. */
  readonly name: string;
  /** Of a task that `canHarden`. */
  harden(task: Task): Promise<Rewritten>;
}

/** By rule: same seed and task, same words. */
export function hardenByRule(task: Task, seed: number): Task {
  return hardenTask(task, createRandom(deriveSeed('harder', seed, task.id))) ?? task;
}

export function createRuleRewriter(seed: number): Rewriter {
  return { name: 'rules', harden: async (task) => ({ task: hardenByRule(task, seed), by: 'rules' }) };
}
