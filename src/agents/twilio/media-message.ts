import { z } from 'zod';

/**
 * Twilio Media Streams: the JSON of both directions. Numbers travel as strings. Audio is µ-law at 8 kHz, base64, without a
 * header; what we send comes in frames of 20 ms, what the agent sends may have any length.
 */
export const MEDIA_RATE_HZ = 8_000;
export const FRAME_MS = 20;
export const FRAME_BYTES = (MEDIA_RATE_HZ * FRAME_MS) / 1000;

/** A µ-law byte that decodes to (almost) nothing. */
export const SILENT_BYTE = 0xff;

/** Ten minutes of sound in one message; more is no message. */
const MAX_PAYLOAD = 6_400_000;

const streamSid = z.string().min(1).max(200);

export const agentMediaSchema = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('media'),
    streamSid,
    media: z.object({ payload: z.base64().max(MAX_PAYLOAD) }),
  }),
  z.object({ event: z.literal('mark'), streamSid, mark: z.object({ name: z.string().max(20_000) }) }),
  z.object({ event: z.literal('clear'), streamSid }),
]);
export type AgentMedia = z.infer<typeof agentMediaSchema>;

/** Who is on the line, in Twilio's shapes: two letters and 32 hexadecimal digits. */
export interface CallIds {
  readonly streamSid: string;
  readonly callSid: string;
  readonly accountSid: string;
}

/** Numbers and dresses the messages of one stream. */
export interface MediaWriter {
  connected(): string;
  start(customParameters: Readonly<Record<string, string>>): string;
  /** One frame; `timestampMs` counts from the stream's start. */
  media(frame: Uint8Array, timestampMs: number): string;
  mark(name: string): string;
  stop(): string;
}

export function createMediaWriter({ streamSid: stream, callSid, accountSid }: CallIds): MediaWriter {
  let sequence = 0;
  let chunk = 0;
  const numbered = (event: string, parts: object): string => {
    sequence += 1;
    return JSON.stringify({ event, sequenceNumber: String(sequence), ...parts, streamSid: stream });
  };
  return {
    connected: () => JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }),
    start: (customParameters) =>
      numbered('start', {
        start: {
          ...{ accountSid, streamSid: stream, callSid, tracks: ['inbound'], customParameters },
          mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: MEDIA_RATE_HZ, channels: 1 },
        },
      }),
    media: (frame, timestampMs) => {
      chunk += 1;
      const payload = Buffer.from(frame).toString('base64');
      return numbered('media', {
        media: { track: 'inbound', chunk: String(chunk), timestamp: String(timestampMs), payload },
      });
    },
    mark: (name) => numbered('mark', { mark: { name } }),
    stop: () => numbered('stop', { stop: { accountSid, callSid } }),
  };
}
