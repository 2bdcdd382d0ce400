export type { Agent, AgentAssignment, AgentReport, FaultKind, InjectedFault } from './agent.js';
export { createCascade } from './cascade/cascade.js';
export { createPocketsphinx } from './cascade/recogniser/pocketsphinx.js';
export { createTranscriberRecogniser } from './cascade/recogniser/transcriber-recogniser.js';
export type { Reconnection } from './client/reconnection.js';
export { type StartEpisodeOptions, startEpisode } from './client/start-episode.js';
export type { AgentVoice } from './client/voice.js';
export type {
  CallResult,
  CallStep,
  CallsStep,
  CustomerPart,
  CustomerPiece,
  CustomerTurn,
  EpisodeClient,
  EpisodeEndEvent,
  EpisodeReadyEvent,
  Saying,
  SayStep,
  WantedCall,
} from './episode-client.js';
export { ClipRefusedError, ConnectionLostError, MessageRefusedError, ProtocolFaultError } from './errors.js';
export { createMathsReference } from './maths/maths-reference.js';
export {
  type ChatAgentOptions,
  chatAgentPromptHash,
  createChatAgent,
} from './openai-compatible/chat-agent.js';
export type { Generation } from './openai-compatible/generation.js';
export { oracleKnowledge } from './oracle/knowledge.js';
export { createOracle, type OracleOptions } from './oracle/oracle.js';
export { probeRealtime } from './realtime/probe-realtime.js';
export { createRealtimeAgent, type RealtimeAgentOptions } from './realtime/realtime-agent.js';
export { recordRealtime, replayRealtime } from './realtime/recorded/recording.js';
export { createTwilioAgent, type TwilioAgentOptions } from './twilio/twilio-agent.js';
