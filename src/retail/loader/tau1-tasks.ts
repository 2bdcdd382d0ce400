import { z } from 'zod';
import { parseData } from '../parse-data.js';
import { type Task, toolCallSchema } from '../task.js';
import type { JsonFile } from './read-file.js';

/** A task of tau-bench v1, as JSON. Fields that are not listed are ignored. */
const tau1TaskSchema = z.object({
  id: z.string().min(1),
  user_id: z.string().min(1),
  instruction: z.string(),
  actions: z.array(toolCallSchema),
  outputs: z.array(z.string()),
});

/** Reads `tasks_<split>.json`. That a required output was said is part of the benchmark's reward for every task. */
export function readTau1Tasks({ name, data }: JsonFile, split: string): Task[] {
  return parseData(z.array(tau1TaskSchema), data, name).map((task) => ({
    id: task.id,
    splits: [split],
    instruction: task.instruction,
    userId: task.user_id,
    groundTruth: task.actions,
    communicate: task.outputs,
    assertions: [],
    rewardBasis: ['DB', 'COMMUNICATE'],
    tags: [],
  }));
}
