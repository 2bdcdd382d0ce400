import { z } from 'zod';

const metadata = z.record(z.string(), z.unknown()).optional();

const listToolsSchema = z.strictObject({ type: z.literal('list_tools'), metadata });

/** Some models write the arguments as a JSON string; what is no object then is a fault like any other. */
const argumentsSchema = z.preprocess(
  (value) => {
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value);
    } catch {
      return value;
    }
  },
  z.record(z.string(), z.unknown()),
);

const callToolSchema = z.strictObject({
  type: z.literal('call_tool'),
  tool_name: z.string().min(1).max(200).describe('Name of the tool to call'),
  arguments: argumentsSchema.default({}).describe('Arguments to pass to the tool'),
  metadata,
});

/** What a step does: the data of a `step` frame is the action itself. */
export const actionSchema = z.discriminatedUnion('type', [listToolsSchema, callToolSchema]);
export type EnvAction = z.infer<typeof actionSchema>;
