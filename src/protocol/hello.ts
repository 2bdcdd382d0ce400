import { z } from 'zod';
import { modeSchema, pacingSchema, sampleFormatSchema } from './audio-format.js';

/** A client that knows another version should hang up. */
export const PROTOCOL_VERSION = 'parlor/1';

export const capabilitySchema = z.enum([
  'resume',
  'interrupt',
  'acknowledge',
  'parallel_tools',
  'agent_audio',
  'transcription',
  'mcp',
  'live_judge',
  'turn_taking',
]);
export type Capability = z.infer<typeof capabilitySchema>;

const count = z.number().int().min(0);

export const wireLimitsSchema = z.object({
  maxTurns: count.describe('Agent actions before the episode ends as `turn_limit`'),
  maxErrors: count.describe(
    'Refused messages and failed tool calls, together, before it ends as `error_limit`',
  ),
  agentTimeoutMs: count.describe('Silence of the agent before it ends as `agent_timeout`'),
  maxMessageBytes: count.describe('Larger messages are refused as `too_large`'),
  maxFrameBytes: count.describe('Larger frames close the connection (1009)'),
  maxCallsPerMessage: count.describe('Calls in one `tool.calls`'),
  maxSpeechMs: count.describe('Length of one upload of the agent’s voice'),
  maxRefused: count.describe('Refused messages outside an episode before the connection is closed (1008)'),
  maxUnreadBytes: count.describe('Unread bytes before the connection is closed (4003)'),
  maxConnectionsPerAddress: count.describe('More from one address are refused with HTTP 429; 0: no limit'),
  handshakeTimeoutMs: count.describe('For the first message, else 4001; 0: no limit'),
  idleTimeoutMs: count.describe('Without a message while no episode runs, else 4002; 0: no limit'),
  heartbeatMs: count.describe('A ping must be answered before the next, else 4004; 0: no pings'),
});

export const helloSchema = z
  .object({
    type: z.literal('hello'),
    seq: z.number().int().min(1).describe('1'),
    protocol: z.literal(PROTOCOL_VERSION).describe('A client that knows another version should hang up'),
    server: z.string().describe('Name and version of the server'),
    modes: z.array(modeSchema).describe('What `episode.start` may ask for'),
    capabilities: z.array(capabilitySchema).describe('What this server can do beyond the basics'),
    audio: z
      .array(sampleFormatSchema)
      .describe('Formats that `episode.start` may ask for; the first is the default'),
    pacings: z.array(pacingSchema).describe('What `episode.start` may ask for'),
    limits: wireLimitsSchema.describe('Everything a client can run into'),
    session: z.string().describe('Name of the session that this connection opens'),
    resumeToken: z.string().describe('Secret with which another connection may take it up'),
    graceMs: count.describe('How long a session waits for that when its connection is lost'),
  })
  .describe('First event of every connection.');
