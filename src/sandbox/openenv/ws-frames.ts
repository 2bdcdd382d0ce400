import { z } from 'zod';
import { actionSchema } from './action.js';
import type { EnvParts } from './env-parts.js';
import type { EnvSession } from './env-session.js';
import type { EnvSessions } from './env-sessions.js';
import { EnvFault, parseInput } from './faults.js';
import { answerRpc } from './json-rpc.js';

const dataSchema = z.record(z.string(), z.unknown());
const resetFrame = z.strictObject({ type: z.literal('reset'), data: dataSchema.default({}) });
const stepFrame = z.strictObject({ type: z.literal('step'), data: dataSchema });
const stateFrame = z.strictObject({ type: z.literal('state') });
const closeFrame = z.strictObject({ type: z.literal('close') });
const mcpFrame = z.strictObject({ type: z.literal('mcp'), data: dataSchema });

export interface FrameContext {
  readonly session: EnvSession;
  readonly sessions: EnvSessions;
  readonly parts: EnvParts;
}

/** A frame's answer; null for `close`, which has none. */
export type FrameReply = { readonly type: string; readonly data: unknown } | null;

export function errorFrame({ code, message, facts }: EnvFault): NonNullable<FrameReply> {
  return { type: 'error', data: { message, code, ...facts } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new EnvFault('INVALID_JSON', 'Invalid JSON: a text frame holds one JSON object');
  }
}

async function reply(text: string, { session, sessions, parts }: FrameContext): Promise<FrameReply> {
  const frame = parseInput(dataSchema, parseJson(text));
  switch (frame.type) {
    case 'reset':
      return { type: 'observation', data: await session.reset(parseInput(resetFrame, frame).data) };
    case 'step': {
      const { data } = parseInput(stepFrame, frame);
      return { type: 'observation', data: await session.step(parseInput(actionSchema, data)) };
    }
    case 'state':
      parseInput(stateFrame, frame);
      return { type: 'state', data: session.state() };
    case 'close':
      parseInput(closeFrame, frame);
      return null;
    case 'mcp': {
      const { data } = parseInput(mcpFrame, frame);
      return {
        type: 'mcp',
        data: await answerRpc(data, { sessions, tools: parts.tools, own: session, origin: null }),
      };
    }
    default:
      throw new EnvFault('UNKNOWN_TYPE', `Unknown message type: ${String(frame.type).slice(0, 200)}`);
  }
}

/** One frame of `/ws` in, its one answer out. Rejects only for a fault of our own. */
export async function answerFrame(text: string, context: FrameContext): Promise<FrameReply> {
  try {
    return await reply(text, context);
  } catch (error) {
    if (error instanceof EnvFault) return errorFrame(error);
    throw error;
  }
}
