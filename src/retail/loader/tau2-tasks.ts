import { z } from 'zod';
import { UsageError } from '../../shared/index.js';
import { parseData } from '../parse-data.js';
import { type InstructionParts, rewardComponentSchema, type Task, toolCallSchema } from '../task.js';
import type { JsonFile } from './read-file.js';

function orEmpty<Schema extends z.ZodType>(schema: Schema) {
  return z
    .array(schema)
    .nullish()
    .transform((list) => list ?? []);
}
const textOrEmpty = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

/** A task of tau2-bench. Fields that are not listed are ignored. */
const tau2TaskSchema = z.object({
  id: z.string().min(1),
  user_scenario: z.object({
    persona: z.string().nullish(),
    instructions: z.union([
      z.string(),
      z.object({
        reason_for_call: z.string(),
        known_info: textOrEmpty,
        unknown_info: textOrEmpty,
        task_instructions: z.string(),
      }),
    ]),
  }),
  initial_state: z.record(z.string(), z.unknown()).nullish(),
  evaluation_criteria: z.object({
    actions: orEmpty(toolCallSchema.extend({ requestor: z.enum(['assistant', 'user']).nullish() })),
    communicate_info: orEmpty(z.string()),
    nl_assertions: orEmpty(z.string()),
    reward_basis: z.array(rewardComponentSchema).default(['DB', 'COMMUNICATE']),
  }),
});
type Tau2Task = z.infer<typeof tau2TaskSchema>;

const splitsSchema = z.record(z.string(), z.array(z.string()));

function toParts({ instructions }: Tau2Task['user_scenario']): InstructionParts | undefined {
  if (typeof instructions === 'string') return undefined;
  return {
    reasonForCall: instructions.reason_for_call,
    knownInfo: instructions.known_info,
    unknownInfo: instructions.unknown_info,
    taskInstructions: instructions.task_instructions,
  };
}

/** One prose instruction of a scenario's parts; empty parts are left out. */
function toInstruction(
  { persona, instructions }: Tau2Task['user_scenario'],
  parts: InstructionParts | undefined,
): string {
  const sections: readonly (readonly [string, string | null | undefined])[] =
    parts === undefined
      ? [['', typeof instructions === 'string' ? instructions : '']]
      : [
          ['Why you call: ', parts.reasonForCall],
          ['What you know: ', parts.knownInfo],
          ['What you do not know: ', parts.unknownInfo],
          ['How you go about it: ', parts.taskInstructions],
        ];
  return [...sections, ['Who you are: ', persona] as const]
    .flatMap(([heading, text]) => (text == null || text.trim() === '' ? [] : [`${heading}${text.trim()}`]))
    .join('\n');
}

/** What would change the meaning of a task if it were ignored. */
function refuseUnsupported(task: Tau2Task, file: string): void {
  const state = Object.entries(task.initial_state ?? {}).filter(([, value]) => value !== null);
  if (state.length > 0)
    throw new UsageError(
      'unsupported-task',
      `${file}: task "${task.id}" starts from a state of its own (initial_state.${state[0]?.[0]}); only tasks that start from the domain's database are supported`,
      { facts: { taskId: task.id } },
    );
  if (task.evaluation_criteria.actions.some((action) => action.requestor === 'user'))
    throw new UsageError(
      'unsupported-task',
      `${file}: task "${task.id}" expects tool calls of the customer; the retail domain gives tools to the agent only`,
      { facts: { taskId: task.id } },
    );
}

function readSplits(
  { name, data }: JsonFile,
  tasks: readonly Tau2Task[],
): ReadonlyMap<string, readonly string[]> {
  const known = new Set(tasks.map((task) => task.id));
  const splits = parseData(splitsSchema, data, name);
  const byTask = new Map<string, string[]>();
  for (const [split, ids] of Object.entries(splits))
    for (const id of ids) {
      if (!known.has(id))
        throw new UsageError(
          'unknown-record',
          `${name}: split "${split}" names task "${id}", which tasks.json lacks`,
          {
            facts: { split, taskId: id },
          },
        );
      byTask.set(id, [...(byTask.get(id) ?? []), split]);
    }
  return byTask;
}

/** Reads tasks.json and split_tasks.json. */
export function readTau2Tasks(tasksFile: JsonFile, splitsFile: JsonFile): Task[] {
  const tasks = parseData(z.array(tau2TaskSchema), tasksFile.data, tasksFile.name);
  const splits = readSplits(splitsFile, tasks);
  return tasks.map((task) => {
    refuseUnsupported(task, tasksFile.name);
    const parts = toParts(task.user_scenario);
    const criteria = task.evaluation_criteria;
    return {
      id: task.id,
      splits: [...(splits.get(task.id) ?? [])],
      instruction: toInstruction(task.user_scenario, parts),
      parts,
      groundTruth: criteria.actions.map((action) => ({ name: action.name, arguments: action.arguments })),
      communicate: criteria.communicate_info,
      assertions: criteria.nl_assertions,
      rewardBasis: criteria.reward_basis,
      tags: [],
    };
  });
}
