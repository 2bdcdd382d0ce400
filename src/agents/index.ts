export type { Agent, AgentAssignment, AgentReport, FaultKind, InjectedFault } from './agent.js';
