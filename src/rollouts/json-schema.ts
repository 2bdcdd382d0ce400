import { z } from 'zod';
import { rolloutRequestSchema } from './rollout-request.js';

/** The body of `POST /v1/rollouts` for one rollout, as JSON Schema (draft 2020-12). */
export function rolloutJsonSchema(): z.core.JSONSchema.BaseSchema {
  const schema = z.toJSONSchema(rolloutRequestSchema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      // zod says of every integer that a double can hold it; that tells a reader nothing.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:parlor:v1:rollout-request',
    title: 'rollout-request',
    description: 'One rollout for POST /v1/rollouts (docs/training.md).',
    ...schema,
  };
}
