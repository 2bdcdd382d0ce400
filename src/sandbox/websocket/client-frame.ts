import {
  type AudioFrame,
  BadAudioFrameError,
  type ClientMessage,
  clientMessageSchema,
  decodeAudioFrame,
  type ErrorCode,
} from '../../protocol/index.js';
import { MAX_MESSAGE_BYTES } from '../options.js';

export type ClientFrame =
  | { readonly ok: true; readonly message: ClientMessage }
  | { readonly ok: true; readonly speech: AudioFrame }
  | {
      readonly ok: false;
      readonly code: ErrorCode;
      readonly message: string;
      readonly messageId?: string | undefined;
    };

/** Deeper arguments than this fit no tool and would only strain what reads them later. */
const MAX_DEPTH = 32;

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((item) => isDeeperThan(item, depth - 1));
}

const refused = (code: ErrorCode, message: string, messageId?: string): ClientFrame => ({
  ...{ ok: false, code, message, messageId },
});

/** Reads one frame of a client; whatever it holds, the answer is a message or a reason that the client can act on. */
export function readClientFrame(data: Buffer, isBinary: boolean): ClientFrame {
  if (data.length > MAX_MESSAGE_BYTES)
    return refused('too_large', `a message is at most ${MAX_MESSAGE_BYTES} bytes; got ${data.length}`);
  if (isBinary) return readSpeech(data);
  let value: unknown;
  try {
    value = JSON.parse(data.toString('utf8'));
  } catch {
    return refused('bad_json', 'a text frame must hold one JSON object');
  }
  if (isDeeperThan(value, MAX_DEPTH))
    return refused('bad_message', `a message is nested at most ${MAX_DEPTH} levels deep`);
  const parsed = clientMessageSchema.safeParse(value);
  if (parsed.success) return { ok: true, message: parsed.data };
  const issue = parsed.error.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
  const message = `not a message of this protocol${where}: ${issue?.message ?? 'unreadable'}`;
  return refused('bad_message', message, messageIdOf(value));
}

function messageIdOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('messageId' in value)) return undefined;
  return typeof value.messageId === 'string' ? value.messageId.slice(0, 200) : undefined;
}

function readSpeech(data: Buffer): ClientFrame {
  try {
    const frame = decodeAudioFrame(data);
    if (frame.kind === 'agent') return { ok: true, speech: frame };
    return refused('bad_message', 'an agent sends audio frames of kind 2');
  } catch (error) {
    if (error instanceof BadAudioFrameError) return refused('bad_message', error.message);
    throw error;
  }
}
