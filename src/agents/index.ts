export type { Agent, AgentAssignment, AgentReport, FaultKind, InjectedFault } from './agent.js';
export type {
  CallStep,
  CustomerTurn,
  EpisodeClient,
  EpisodeEndEvent,
  EpisodeReadyEvent,
  SayStep,
} from './episode-client.js';
export { ConnectionLostError, MessageRefusedError, ProtocolFaultError } from './errors.js';
export { oracleKnowledge } from './oracle/knowledge.js';
export { createOracle, type OracleOptions } from './oracle/oracle.js';
export { type StartEpisodeOptions, startEpisode } from './websocket-client.js';
