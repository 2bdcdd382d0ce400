import type { WorldSession } from '../retail/index.js';

/** The tools of one episode, called as the agent asked. Behind it is an MCP client and server of the episode's own. */
export interface ToolPort {
  /** What the agent reads; a call that the tool refuses is `ok: false`. Rejects only when the tools themselves are broken. */
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<{ ok: boolean; content: string }>;
  /** Safe twice. */
  close(): Promise<void>;
}

export type ConnectTools = (session: WorldSession) => Promise<ToolPort>;
