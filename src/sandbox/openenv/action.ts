import { z } from 'zod';

const metadata = z.record(z.string(), z.unknown()).optional();

const listToolsSchema = z.strictObject({ type: z.literal('list_tools'), metadata });

/** Some models write the arguments as text; how it is read, and what the model is told when it cannot be, is the session's. */
const argumentsSchema = z.union([z.record(z.string(), z.unknown()), z.string().max(100_000)]);

const callToolSchema = z.strictObject({
  type: z.literal('call_tool'),
  tool_name: z.string().min(1).max(200).describe('Name of the tool to call'),
  arguments: argumentsSchema.default({}).describe('Arguments to pass to the tool'),
  metadata,
});

/** What a step does: the data of a `step` frame is the action itself. */
export const actionSchema = z.discriminatedUnion('type', [listToolsSchema, callToolSchema]);
export type EnvAction = z.infer<typeof actionSchema>;
