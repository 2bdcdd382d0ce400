import { z } from 'zod';
import {
  type InstructionParts,
  rewardComponentSchema,
  type Task,
  toolCallSchema,
} from '../../retail/index.js';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

function list<Schema extends z.ZodType>(item: Schema) {
  return z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);
}

/** A task as tau2-bench results carry it. Unlike a task to be played, it may start from any state: it has been played. */
export const importedTaskSchema = z.looseObject({
  id: z.union([z.string().min(1), z.number()]).transform(String),
  user_scenario: z.looseObject({
    persona: text,
    instructions: z.union([
      z.string(),
      z.looseObject({
        reason_for_call: text,
        known_info: text,
        unknown_info: text,
        task_instructions: text,
      }),
    ]),
  }),
  evaluation_criteria: z
    .looseObject({
      actions: list(toolCallSchema.extend({ requestor: z.string().nullish() })),
      communicate_info: list(z.string()),
      nl_assertions: list(z.string()),
      reward_basis: list(rewardComponentSchema),
    })
    .nullish(),
});

export function toImportedTask({
  id,
  user_scenario,
  evaluation_criteria,
}: z.infer<typeof importedTaskSchema>): Task {
  const { instructions, persona } = user_scenario;
  const parts: InstructionParts | undefined =
    typeof instructions === 'string'
      ? undefined
      : {
          reasonForCall: instructions.reason_for_call,
          knownInfo: instructions.known_info,
          unknownInfo: instructions.unknown_info,
          taskInstructions: instructions.task_instructions,
        };
  const prose = parts === undefined ? [String(instructions)] : Object.values(parts);
  return {
    id,
    splits: [],
    instruction: [...prose, persona].filter((part) => part.trim() !== '').join('\n'),
    parts,
    groundTruth: (evaluation_criteria?.actions ?? [])
      .filter((action) => action.requestor !== 'user')
      .map(({ name, arguments: args }) => ({ name, arguments: args })),
    communicate: evaluation_criteria?.communicate_info ?? [],
    assertions: evaluation_criteria?.nl_assertions ?? [],
    rewardBasis: evaluation_criteria?.reward_basis ?? [],
    tags: [],
  };
}
