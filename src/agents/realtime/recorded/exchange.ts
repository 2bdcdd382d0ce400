import { z } from 'zod';
import { ChatRecordingError } from '../../../models/index.js';
import { pcm16FromBytes, pcm16ToBytes } from '../../../protocol/index.js';
import { describeError } from '../../../shared/index.js';
import type { AskedReply } from '../realtime-session.js';
import type { Sound } from '../wire-audio.js';

const soundSchema = z.object({
  sampleRateHz: z.number().int().min(8_000).max(48_000),
  pcm16: z.base64().describe('Samples, 16 bits, little end first: the sandbox keeps what the model said'),
});
const spokenSchema = z.object({ itemId: z.string(), text: z.string(), sound: soundSchema.nullable() });
const replySchema = z.object({
  status: z.enum(['completed', 'cancelled', 'incomplete', 'failed']),
  reason: z.string().nullable(),
  spoken: z.array(spokenSchema),
  calls: z.array(
    z.object({ callId: z.string(), name: z.string(), arguments: z.string(), whole: z.boolean() }),
  ),
  usage: z.object({ prompt: z.number().int(), completion: z.number().int() }).nullable(),
  brokenIn: z
    .object({
      atMs: z.number(),
      spoken: z.array(spokenSchema),
      unheard: z.string(),
      cut: z.object({ itemId: z.string(), heardMs: z.number() }).nullable(),
      removed: z.array(z.string()),
    })
    .nullable(),
});
type WrittenReply = z.infer<typeof replySchema>;

const headerSchema = z.object({
  type: z.literal('realtime_recording'),
  version: z.literal(1),
  model: z.string().min(1),
});
const lineSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('realtime_reply'),
    request: z.string().length(64),
    scope: z.string(),
    /** Counts the replies of a scope from 1. */
    index: z.number().int().min(1),
    reply: replySchema,
  }),
  z.object({ type: z.literal('transcript'), sound: z.string().length(64), text: z.string() }),
]);
export type ExchangeLine = z.infer<typeof lineSchema>;

const write = (sound: Sound | null): z.infer<typeof soundSchema> | null =>
  sound === null
    ? null
    : {
        sampleRateHz: sound.sampleRateHz,
        pcm16: Buffer.from(pcm16ToBytes(sound.samples)).toString('base64'),
      };
const read = (sound: z.infer<typeof soundSchema> | null): Sound | null =>
  sound === null
    ? null
    : { sampleRateHz: sound.sampleRateHz, samples: pcm16FromBytes(Buffer.from(sound.pcm16, 'base64')) };

export function writeReply(reply: AskedReply): WrittenReply {
  const spoken = (all: AskedReply['spoken']) => all.map((one) => ({ ...one, sound: write(one.sound) }));
  const { brokenIn } = reply;
  return {
    ...{ status: reply.status, reason: reply.reason, usage: reply.usage },
    ...{ spoken: spoken(reply.spoken), calls: [...reply.calls] },
    brokenIn:
      brokenIn === null
        ? null
        : { ...brokenIn, spoken: spoken(brokenIn.spoken), removed: [...brokenIn.removed] },
  };
}

export function readReply(reply: WrittenReply): AskedReply {
  const spoken = (all: WrittenReply['spoken']) => all.map((one) => ({ ...one, sound: read(one.sound) }));
  const { brokenIn } = reply;
  return {
    ...reply,
    spoken: spoken(reply.spoken),
    brokenIn: brokenIn === null ? null : { ...brokenIn, spoken: spoken(brokenIn.spoken) },
  };
}

export const headerLine = (model: string): string =>
  `${JSON.stringify({ type: 'realtime_recording', version: 1, model })}\n`;

function parseLine<T>(schema: z.ZodType<T>, line: string, place: string): T {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new ChatRecordingError(`${place}: expected a JSON object; ${describeError(error)}`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new ChatRecordingError(
    `${place}, at ${issue?.path.join('.') || 'the top'}: ${issue?.message}; expected the recording of a realtime model`,
  );
}

const MAX_RECORDING_CHARACTERS = 512 * 1024 * 1024;

/** @throws ChatRecordingError */
export function parseRecording(
  text: string,
  source: string,
): { readonly model: string; readonly lines: readonly ExchangeLine[] } {
  if (text.length > MAX_RECORDING_CHARACTERS)
    throw new ChatRecordingError(
      `${source} is larger than a recording may be (${MAX_RECORDING_CHARACTERS} characters)`,
    );
  const [first, ...rest] = text.split('\n').filter((line) => line.trim() !== '');
  if (first === undefined)
    throw new ChatRecordingError(`${source} is empty; expected a recording of a realtime model's replies`);
  const { model } = parseLine(headerSchema, first, `${source}, line 1`);
  return {
    model,
    lines: rest.map((line, index) => parseLine(lineSchema, line, `${source}, line ${index + 2}`)),
  };
}
