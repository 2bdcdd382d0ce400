import { z } from 'zod';
import { DatasetSourceError } from '../errors.js';

/** A tool in the shape that OpenAI's API and every chat template take. */
export interface ToolSchema {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  };
}

const wireToolsSchema = z.array(
  z.object({
    name: z.string().min(1),
    description: z.string(),
    inputSchema: z.record(z.string(), z.unknown()),
  }),
);

/** @param text a run's `tools.json`. @throws DatasetSourceError */
export function toolSchemasOf(text: string, source: string): ToolSchema[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new DatasetSourceError(`${source}: expected the tool list that "parlor run" writes, as JSON`, {
      cause,
    });
  }
  const parsed = wireToolsSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new DatasetSourceError(`${source}, at ${issue?.path.join('.') || 'the top'}: ${issue?.message}`);
  }
  return parsed.data.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }));
}
