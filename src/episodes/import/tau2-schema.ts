import { z } from 'zod';
import { sourceMessageSchema } from './conversation.js';

const checks = <Shape extends z.ZodRawShape>(shape: Shape) => z.array(z.looseObject(shape)).nullish();

export const rewardInfoSchema = z.looseObject({
  reward: z.number(),
  db_check: z.looseObject({ db_match: z.boolean() }).nullish(),
  action_checks: checks({ action_match: z.boolean() }),
  nl_assertions: checks({ met: z.boolean() }),
  communicate_checks: checks({ info: z.string().optional(), met: z.boolean() }),
});

export const simulationSchema = z.looseObject({
  id: z.string().optional(),
  task_id: z.union([z.string().min(1), z.number()]).transform(String),
  trial: z
    .number()
    .int()
    .min(0)
    .nullish()
    .transform((trial) => trial ?? 0),
  seed: z.number().int().nullish(),
  termination_reason: z.string().nullish(),
  reward_info: rewardInfoSchema.nullish(),
  messages: z.array(sourceMessageSchema).nullish(),
  speech_environment: z.unknown().optional(),
});
export type Simulation = z.infer<typeof simulationSchema>;

const named = z
  .looseObject({ llm: z.string().nullish(), implementation: z.string().nullish() })
  .nullish()
  .transform((info) => info?.llm ?? info?.implementation ?? null);

/** The file as a whole; simulations are parsed one by one, so that a broken one harms no other. */
export const tau2ResultsSchema = z.looseObject({
  info: z
    .looseObject({
      max_steps: z.number().int().nullish(),
      max_errors: z.number().int().nullish(),
      agent_info: named,
      user_info: named,
      environment_info: z
        .looseObject({
          domain_name: z.string().nullish(),
          policy: z.string().nullish(),
          tool_defs: z.unknown().optional(),
        })
        .nullish(),
    })
    .nullish(),
  tasks: z.array(z.unknown()),
  simulations: z.array(z.unknown()).nullish(),
});
export type Results = z.infer<typeof tau2ResultsSchema>;
