/** One message of every type with every field set. */
interface Sample {
  readonly type: string;
  readonly [field: string]: unknown;
}

const audio = { encoding: 'pcm16', sampleRateHz: 16_000, transport: 'binary', frameMs: 100 };
const limits = {
  ...{ maxTurns: 30, maxErrors: 10, agentTimeoutMs: 1, maxMessageBytes: 1, maxFrameBytes: 1 },
  ...{
    maxCallsPerMessage: 16,
    maxSpeechMs: 1,
    maxRefused: 1,
    maxUnreadBytes: 1,
    maxConnectionsPerAddress: 0,
  },
  ...{ handshakeTimeoutMs: 0, idleTimeoutMs: 0, heartbeatMs: 0 },
};

const client: readonly Sample[] = [
  {
    ...{ type: 'episode.start', task: 't', mode: 'speech', seed: 1, trial: 0, agent: 'a', audio },
    ...{ pacing: 'fast', window: 65_536, messageId: 'm' },
  },
  { type: 'session.resume', token: 'secret', lastSeq: 4 },
  { type: 'ack', seq: 4 },
  { type: 'agent.message', text: 'Hello.', speech: 1, reasoning: 'r', turn: 0, messageId: 'm' },
  {
    ...{ type: 'tool.call', callId: 'c', name: 'n', arguments: { a: 1 } },
    ...{ reasoning: 'r', turn: 0, messageId: 'm' },
  },
  {
    ...{ type: 'tool.calls', calls: [{ callId: 'c', name: 'n', arguments: '{}' }] },
    ...{ reasoning: 'r', turn: 0, messageId: 'm' },
  },
  { type: 'agent.speech.start', speech: 1, audio: { encoding: 'mulaw', sampleRateHz: 8_000 } },
  { type: 'agent.speech.audio', speech: 1, data: 'AAAA' },
  { type: 'agent.speech.end', speech: 1, samples: 3, transcript: 'Hello.' },
  { type: 'interrupt', utterance: 0, heardSamples: 10 },
  { type: 'agent.stop', reason: 'done', detail: 'd', turn: 0, messageId: 'm' },
];

const server: readonly Sample[] = [
  {
    ...{
      type: 'hello',
      seq: 1,
      protocol: 'parlor/1',
      server: 'parlor',
      modes: ['text'],
      capabilities: ['mcp'],
    },
    ...{ audio: [{ encoding: 'pcm16', sampleRateHz: 16_000 }], pacings: ['fast'], limits },
    ...{ session: 's', resumeToken: 'secret', graceMs: 1 },
  },
  { type: 'session.resumed', seq: 2, session: 's', lastSeq: 4, turn: 1, lastMessageId: 'm', replayed: 0 },
  {
    ...{ type: 'episode.ready', seq: 2, episode: 'e', task: 't', mode: 'speech', policy: 'p', tools: [] },
    ...{ audio, pacing: 'fast', mcp: { url: 'http://127.0.0.1/mcp', token: 'secret' } },
  },
  { type: 'customer.start', seq: 3, turn: 0, utterance: 0, form: 'speech', sampleOffset: 0 },
  { type: 'customer.text', seq: 4, utterance: 0, text: 'Hi.' },
  { type: 'customer.audio', seq: 4, utterance: 0, sampleOffset: 0, samples: 1, data: 'AAA=' },
  {
    ...{ type: 'customer.end', seq: 5, turn: 0, utterance: 0, durationMs: 1, samples: 16 },
    ...{ interrupted: false, final: false },
  },
  {
    type: 'tool.result',
    seq: 6,
    turn: 1,
    callId: 'c',
    status: 'result',
    ok: true,
    content: '',
    repeated: true,
  },
  {
    ...{ type: 'agent.interrupted', seq: 6, turn: 1, callSample: 32_000, heardSamples: 16_000 },
    ...{ heardMs: 1_000, heardText: 'I can' },
  },
  { type: 'intervention', seq: 6, turn: 1, count: 1, message: 'm', callIds: ['c'] },
  {
    ...{ type: 'episode.end', seq: 7, turn: 1, episode: 'e', reason: 'agent_stop', owner: 'agent' },
    outcome: { rule: 'tau2', success: true, reward: 1, scores: { database: 1 }, unscored: [] },
  },
  { type: 'error', seq: 8, code: 'bad_json', message: 'm', messageId: 'm' },
];

export const sampleMessages = { client, server } as const;
