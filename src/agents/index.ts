export type { Agent, AgentAssignment, AgentReport, FaultKind, InjectedFault } from './agent.js';
export type {
  CallStep,
  CustomerTurn,
  EpisodeClient,
  EpisodeEndEvent,
  EpisodeReadyEvent,
  SayStep,
} from './episode-client.js';
export { ClipRefusedError, ConnectionLostError, MessageRefusedError, ProtocolFaultError } from './errors.js';
export {
  type ChatAgentOptions,
  chatAgentPromptHash,
  createChatAgent,
} from './openai-compatible/chat-agent.js';
export type { Generation } from './openai-compatible/generation.js';
export { oracleKnowledge } from './oracle/knowledge.js';
export { createOracle, type OracleOptions } from './oracle/oracle.js';
export { createTwilioAgent, type TwilioAgentOptions } from './twilio/twilio-agent.js';
export { type StartEpisodeOptions, startEpisode } from './websocket-client.js';
