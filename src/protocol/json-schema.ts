import { z } from 'zod';
import { clientMessageSchema } from './client-messages.js';
import { PROTOCOL_VERSION } from './hello.js';
import { serverEventSchema } from './server-events.js';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** A message's name on the wire and its schema. */
export type NamedSchemas = Readonly<Record<string, JsonSchema>>;

type MessageUnion = typeof clientMessageSchema | typeof serverEventSchema;

/** zod says of every integer that a double can hold it; that tells a reader nothing. */
function dropSafeBounds(schema: JsonSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}

function schemasOf(union: MessageUnion, io: 'input' | 'output'): NamedSchemas {
  const named = union.options.map((option): [string, JsonSchema] => {
    const { $schema: _, ...schema } = z.toJSONSchema(option, {
      io,
      override: ({ jsonSchema }) => {
        dropSafeBounds(jsonSchema);
        // A later server may add fields; a client should not mind.
        if (io === 'output' && jsonSchema.additionalProperties === false)
          delete jsonSchema.additionalProperties;
      },
    });
    return [option.shape.type.value, schema];
  });
  return Object.fromEntries(named);
}

/** Every message that a client may send. */
export function clientMessageSchemas(): NamedSchemas {
  return schemasOf(clientMessageSchema, 'input');
}

/** Every event that the sandbox sends as text. */
export function serverEventSchemas(): NamedSchemas {
  return schemasOf(serverEventSchema, 'output');
}

function documentOf(name: string, description: string, messages: NamedSchemas): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:${PROTOCOL_VERSION.replace('/', ':')}:${name}`,
    title: name,
    description,
    oneOf: Object.keys(messages).map((type) => ({ $ref: `#/$defs/${type}` })),
    $defs: { ...messages },
  };
}

/** The text frames of both directions as JSON Schema (draft 2020-12), one definition a message. */
export function protocolJsonSchemas(): {
  readonly clientMessage: JsonSchema;
  readonly serverEvent: JsonSchema;
} {
  return {
    clientMessage: documentOf(
      'client-message',
      `A text frame from a client to the sandbox, protocol ${PROTOCOL_VERSION}.`,
      clientMessageSchemas(),
    ),
    serverEvent: documentOf(
      'server-event',
      `A text frame from the sandbox to a client, protocol ${PROTOCOL_VERSION}.`,
      serverEventSchemas(),
    ),
  };
}
