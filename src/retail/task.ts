import { z } from 'zod';

/** One tool call as data. `arguments` is what the model or the ground truth wrote. */
export const toolCallSchema = z.object({
  name: z.string().min(1),
  arguments: z.record(z.string(), z.unknown()),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

/** A thing the customer can be asked for about one request. */
const factSlotSchema = z.enum(['order_id', 'items', 'new_options', 'payment', 'reason', 'address', 'detail']);
export type FactSlot = z.infer<typeof factSlotSchema>;

/** What the customer says when asked for `slot`. Nothing else about it is ever said. */
const scenarioFactSchema = z.object({ slot: factSlotSchema, say: z.string().min(1) });

/**
 * What would make the customer object when an agent reads back an action: the message holds `phrase`
 * (case-insensitive, whole words) and none of `unless`. Then the customer says `say` instead of yes.
 */
const mismatchSchema = z.object({
  phrase: z.string().min(1),
  unless: z.array(z.string()),
  say: z.string().min(1),
});

const requestGoalSchema = z.enum([
  'cancel_order',
  'return_items',
  'exchange_items',
  'modify_items',
  'modify_order_address',
  'modify_order_payment',
  'modify_profile_address',
  'ask',
]);

const scenarioRequestSchema = z.object({
  id: z.string().min(1),
  goal: requestGoalSchema,
  /** How the customer raises it; may be vague. */
  say: z.string().min(1),
  /** `opening`: with the first line. `after_previous`: once the request before it was reported done (or refused). */
  raised: z.enum(['opening', 'after_previous']),
  facts: z.array(scenarioFactSchema),
  /** Words by which an agent's message is recognised as being about this request: order id, item names. */
  about: z.array(z.string()),
  mismatches: z.array(mismatchSchema),
  /**
   * A change of mind. It is said once, with the customer's answer to the first agent message after the request
   * was raised (so before any confirmation in an orderly call); from then on `facts`, `about` and `mismatches`
   * of the request are replaced by these.
   */
  change: z
    .object({
      say: z.string().min(1),
      facts: z.array(scenarioFactSchema),
      about: z.array(z.string()),
      mismatches: z.array(mismatchSchema),
    })
    .optional(),
  /** What the right agent makes of it. The customer uses it only to accept a refusal or a hand-over politely. */
  expected: z.enum(['done', 'refused', 'transferred', 'answered']),
});
export type ScenarioRequest = z.infer<typeof scenarioRequestSchema>;

/** All that a scripted customer knows and wants. Everything it may say comes from here. */
const scenarioSchema = z.object({
  identity: z.object({
    firstName: z.string().min(1),
    lastName: z.string().min(1),
    zip: z.string().min(1),
    /** null: the customer does not remember it. */
    email: z.string().nullable(),
  }),
  style: z.enum(['terse', 'plain', 'chatty']),
  requests: z.array(scenarioRequestSchema).min(1),
});
export type Scenario = z.infer<typeof scenarioSchema>;

/** The parts of a tau2-bench instruction, when a source has them. */
const instructionPartsSchema = z.object({
  reasonForCall: z.string(),
  knownInfo: z.string(),
  unknownInfo: z.string(),
  taskInstructions: z.string(),
});
export type InstructionParts = z.infer<typeof instructionPartsSchema>;

export const rewardComponentSchema = z.enum(['DB', 'COMMUNICATE', 'NL_ASSERTION', 'ACTION', 'ENV_ASSERTION']);
export type RewardComponent = z.infer<typeof rewardComponentSchema>;

/** One task of any source. The agent never sees it; the customer sees only its `CustomerBrief`. */
export const taskSchema = z.object({
  id: z.string().min(1),
  /** Names of the splits it belongs to, e.g. ["test", "base"]. */
  splits: z.array(z.string()),
  /** Second-person prose for the customer. */
  instruction: z.string(),
  parts: instructionPartsSchema.optional(),
  scenario: scenarioSchema.optional(),
  /** Whose call it is, when the source says so. */
  userId: z.string().optional(),
  /** Calls of a right episode, reads included, in order. */
  groundTruth: z.array(toolCallSchema),
  /** Strings that must occur in what the agent says (tau: `outputs`, tau2: `communicate_info`). */
  communicate: z.array(z.string()),
  /** Assertions in prose; they need a model to be scored. */
  assertions: z.array(z.string()),
  rewardBasis: z.array(rewardComponentSchema),
  difficulty: z.enum(['easy', 'medium', 'hard']).optional(),
  /** Free labels of the generator: "multi-request", "forbidden", "vague", "change-of-mind", … */
  tags: z.array(z.string()),
});
export type Task = z.infer<typeof taskSchema>;

/** What the simulated customer is told: never the ground truth, never the world. */
export interface CustomerBrief {
  readonly taskId: string;
  readonly instruction: string;
  readonly parts?: InstructionParts | undefined;
  readonly scenario?: Scenario | undefined;
}

export function toCustomerBrief(task: Task): CustomerBrief {
  return { taskId: task.id, instruction: task.instruction, parts: task.parts, scenario: task.scenario };
}
