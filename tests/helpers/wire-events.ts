import type { ServerEvent } from '../../src/protocol/index.js';

/** Server events for scripted far sides, whole but for their numbers. */
type Unnumbered<T extends ServerEvent['type']> = Omit<Extract<ServerEvent, { type: T }>, 'seq'>;

export const helloEvent: Unnumbered<'hello'> = {
  ...{ type: 'hello', protocol: 'parlor/1', server: 'test', modes: ['text', 'speech'] },
  ...{ capabilities: [], audio: [{ encoding: 'pcm16', sampleRateHz: 16_000 }], pacings: ['fast'] },
  limits: {
    ...{ maxTurns: 30, maxErrors: 10, maxMessageBytes: 1_000, maxFrameBytes: 2_000, agentTimeoutMs: 1_000 },
    ...{ maxCallsPerMessage: 16, maxSpeechMs: 1_000, maxRefused: 9, maxUnreadBytes: 1_000, heartbeatMs: 0 },
    ...{ maxConnectionsPerAddress: 0, handshakeTimeoutMs: 0, idleTimeoutMs: 0 },
  },
  ...{ session: 's', resumeToken: 'secret', graceMs: 0 },
};

export const readyEvent: Unnumbered<'episode.ready'> = {
  ...{ type: 'episode.ready', episode: 'e', task: 't', mode: 'text', policy: 'p', tools: [] },
  ...{ audio: null, pacing: 'fast', mcp: null },
};
