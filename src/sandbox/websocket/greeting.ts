import {
  type Capability,
  MAX_CALLS_PER_MESSAGE,
  PROTOCOL_VERSION,
  SAMPLE_FORMATS,
} from '../../protocol/index.js';
import { DEFAULT_HTTP_LIMITS } from '../http/http-limits.js';
import { DEFAULT_LIMITS, MAX_MESSAGE_BYTES, MAX_PAYLOAD_BYTES, type SandboxOptions } from '../options.js';
import type { Greeting } from './connection.js';
import { DEFAULT_WEBSOCKET_LIMITS } from './limits.js';

/** What `hello` says of a server: the same to everybody. */
export function greetingOf(options: SandboxOptions): Greeting {
  const { maxTurns, maxErrors, agentTimeoutMs } = { ...DEFAULT_LIMITS, ...options.limits };
  const { maxConnectionsPerAddress, heartbeatMs } = { ...DEFAULT_HTTP_LIMITS, ...options.http };
  const socket = { ...DEFAULT_WEBSOCKET_LIMITS, ...options.websocket };
  const capabilities: Capability[] = [
    ...(socket.graceMs > 0 ? (['resume'] as const) : []),
    ...(['interrupt', 'acknowledge', 'parallel_tools', 'agent_audio', 'mcp'] as const),
    ...(options.transcriber === undefined ? [] : (['transcription'] as const)),
    ...(options.liveJudge === undefined ? [] : (['live_judge'] as const)),
    ...(options.turnTaking === true && options.speaker !== null ? (['turn_taking'] as const) : []),
  ];
  return {
    ...{ type: 'hello', protocol: PROTOCOL_VERSION, server: options.serverName ?? 'parlor', capabilities },
    modes: options.speaker === null ? ['text'] : ['speech', 'text'],
    audio: [...SAMPLE_FORMATS],
    pacings: ['fast', 'realtime'],
    limits: {
      ...{ maxTurns, maxErrors, agentTimeoutMs, maxConnectionsPerAddress, heartbeatMs },
      ...{ maxMessageBytes: MAX_MESSAGE_BYTES, maxFrameBytes: MAX_PAYLOAD_BYTES },
      ...{ maxCallsPerMessage: MAX_CALLS_PER_MESSAGE, maxSpeechMs: socket.maxSpeechMs },
      ...{ maxRefused: socket.maxRefused, maxUnreadBytes: socket.maxUnreadBytes },
      ...{ handshakeTimeoutMs: socket.handshakeTimeoutMs, idleTimeoutMs: socket.idleTimeoutMs },
    },
    graceMs: socket.graceMs,
  };
}
