import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import asyncApiMetaSchema from '@asyncapi/specs/schemas/3.1.0-without-$id.json' with { type: 'json' };
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AUDIO_FRAME_FIELDS,
  asyncApiDocument,
  clientMessageSchema,
  encodeAudioFrame,
  protocolJsonSchemas,
  serverEventSchema,
} from '../../src/protocol/index.js';
import { sampleMessages } from './helpers/sample-messages.js';

const root = join(import.meta.dirname, '..', '..');
const { clientMessage, serverEvent } = protocolJsonSchemas();
const ajv = new Ajv2020({ validateFormats: false, allErrors: true });
const DIRECTIONS = {
  'client messages': {
    ...{ zod: clientMessageSchema, judge: ajv.compile(clientMessage), samples: sampleMessages.client },
  },
  'server events': {
    ...{ zod: serverEventSchema, judge: ajv.compile(serverEvent), samples: sampleMessages.server },
  },
} as const;

describe('docs/schema and docs/asyncapi', () => {
  it('are what the schemas say now', () => {
    const script = join(root, 'scripts', 'protocol-documents.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  it('hold a definition of every message', () => {
    const stored = JSON.parse(readFileSync(join(root, 'docs/schema/client-message.schema.json'), 'utf8'));
    expect(Object.keys(stored.$defs)).toEqual(
      clientMessageSchema.options.map((option) => option.shape.type.value),
    );
  });
});

describe.each(Object.entries(DIRECTIONS))('the JSON Schema of %s', (_name, { zod, judge, samples }) => {
  it('knows a sample of every message', () => {
    expect(new Set(samples.map(({ type }) => type))).toEqual(
      new Set(zod.options.map((option) => option.shape.type.value)),
    );
  });

  it('takes what the sandbox takes and refuses what it refuses, field by field', () => {
    const values = fc.oneof(
      fc.constantFrom(null, true, '', 'x', 0, -1, 1.5, 2 ** 40, [], {}, 'pcm16', 'speech', 'AAAA', 'AAA'),
      fc.string(),
      fc.integer(),
    );
    const change = fc.record({
      sample: fc.nat(samples.length - 1),
      field: fc.nat(40),
      value: fc.option(values, { nil: undefined }),
      extra: fc.boolean(),
    });
    fc.assert(
      fc.property(change, ({ sample, field, value, extra }) => {
        const message: Record<string, unknown> = structuredClone({ ...samples[sample] });
        const fields = Object.keys(message);
        const name = fields[field % fields.length] ?? 'type';
        if (value === undefined) delete message[name];
        else message[name] = value;
        if (extra) message.somethingNew = 1;
        const parsed = zod.safeParse(message);
        expect(judge(message), JSON.stringify(message)).toBe(parsed.success);
      }),
      { numRuns: 3_000, seed: 4 },
    );
  });
});

describe('the AsyncAPI document', () => {
  it('is one by the official schema of version 3.1', () => {
    const official = new Ajv({ strict: false, validateFormats: false }).compile(asyncApiMetaSchema);
    expect(official(asyncApiDocument()), JSON.stringify(official.errors?.slice(0, 3))).toBe(true);
    expect(official({ ...asyncApiDocument(), channels: 7 })).toBe(false);
  });

  it('has no reference that leads nowhere, and reaches every message by a channel and an operation', () => {
    const document: unknown = JSON.parse(JSON.stringify(asyncApiDocument()));
    const text = JSON.stringify(document);
    const refs = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? '');
    const found = refs.map((ref) =>
      ref
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document),
    );
    expect(refs.filter((_, index) => found[index] === undefined)).toEqual([]);
    const messages = clientMessageSchema.options.length + serverEventSchema.options.length + 2;
    expect(refs.filter((ref) => ref.startsWith('components/messages/'))).toHaveLength(messages);
    expect(refs.filter((ref) => ref.startsWith('channels/session/messages/'))).toHaveLength(messages);
  });

  it('describes the header of a binary frame as it is written', () => {
    const frame = encodeAudioFrame({
      ...{ kind: 'agent', seq: 0x01020304, utterance: 0x05060708, sampleOffset: 0x090a0b0c },
      data: Uint8Array.of(1, 2),
    });
    const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
    const read = AUDIO_FRAME_FIELDS.map(({ name, offset, type, const: value }) => {
      const got = type === 'u8' ? view.getUint8(offset) : view.getUint32(offset, true);
      if (value !== undefined) expect(got, name).toBe(value);
      return [name, got];
    });
    expect(Object.fromEntries(read)).toMatchObject({
      ...{ kind: 2, seq: 0x01020304, utterance: 0x05060708, sampleOffset: 0x090a0b0c },
    });
    const bytes = AUDIO_FRAME_FIELDS.reduce((sum, { type }) => sum + (type === 'u8' ? 1 : 4), 0);
    expect(bytes).toBe(frame.length - 2);
  });
});
