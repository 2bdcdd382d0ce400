import type { RetailDomain, ToolDefinition } from '../retail/index.js';
import { canonicalJson, sha256Hex } from '../shared/index.js';

/** What every agent of a domain is given, with the hashes by which records name it. */
export interface AgentMaterial {
  readonly policy: string;
  /** As they stand in `episode.ready`. */
  readonly tools: readonly ReturnType<typeof wireTool>[];
  readonly policyHash: string;
  readonly toolsHash: string;
}

function wireTool({ name, title, description, inputSchema, kind, destructive }: ToolDefinition) {
  // A transfer leaves the world alone but not the conversation; the MCP server's hints say the same.
  const readOnly = kind !== 'write' && name !== 'transfer_to_human_agents';
  return { name, title, description, inputSchema, readOnly, destructive };
}

export function describeAgentMaterial({
  policy,
  tools,
}: Pick<RetailDomain, 'policy' | 'tools'>): AgentMaterial {
  const wired = tools.map(wireTool);
  return {
    policy,
    tools: wired,
    policyHash: sha256Hex(policy),
    toolsHash: sha256Hex(canonicalJson(wired)),
  };
}
