export { type AgentMaterial, describeAgentMaterial } from './agent-material.js';
export { CannotListenError } from './errors.js';
export type { ReadClip } from './http/audio-clips.js';
export type { EpisodeSummary, SandboxLog, SandboxOptions } from './options.js';
export { type Sandbox, startSandbox } from './sandbox.js';
export type { Transcriber } from './session/listener.js';
export type { SessionLimits } from './session/state.js';
export type { ConnectTools, ToolPort } from './tool-port.js';
export type { WebSocketLimits } from './websocket/limits.js';
