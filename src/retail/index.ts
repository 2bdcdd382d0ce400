export { type Mismatch, type ReplayReport, replayConformance } from './conformance/replay.js';
export type {
  GroundTruthFault,
  Outcome,
  OutcomeRule,
  RetailDomain,
  ToolDefinition,
  ToolResult,
  VerifyInput,
  WorldSession,
} from './contract.js';
export { createWorld } from './create-world.js';
export { createDomain } from './domain.js';
export { builtInDomain, generateTrainingTasks } from './generator/built-in-domain.js';
export { formatTasks, loadTasksFile } from './generator/tasks-file.js';
export { loadDomain } from './loader/load-domain.js';
export { connectInMemory } from './mcp/connect-in-memory.js';
export { createRetailMcpServer } from './mcp/mcp-server.js';
export { serveHttp } from './mcp/serve-http.js';
export { serveStdio } from './mcp/serve-stdio.js';
export { createSession } from './session.js';
export {
  type CustomerBrief,
  type FactSlot,
  type InstructionParts,
  type RewardComponent,
  rewardComponentSchema,
  type Scenario,
  type ScenarioRequest,
  type Task,
  type ToolCall,
  taskSchema,
  toCustomerBrief,
  toolCallSchema,
} from './task.js';
export { toolDefinitions } from './tools/registry.js';
export { findGroundTruthFaults } from './verifier/ground-truth.js';
export { verify } from './verifier/verify.js';
export type { Order, RuleSet, User, World } from './world.js';
