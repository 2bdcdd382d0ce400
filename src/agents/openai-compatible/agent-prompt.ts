import { readFileSync } from 'node:fs';
import { sha256Hex } from '../../shared/index.js';
import type { EpisodeReadyEvent } from '../episode-client.js';

export interface AgentPrompt {
  readonly version: string;
  /** SHA-256 of the file. */
  readonly hash: string;
  readonly section: (name: string) => string;
}

let builtIn: AgentPrompt | undefined;

/** The instructions that an agent's model gets, from the file beside this one. */
export function agentPrompt(): AgentPrompt {
  if (builtIn !== undefined) return builtIn;
  const text = readFileSync(new URL('./agent-prompt.md', import.meta.url), 'utf8');
  const version = /^<!-- version: (\S+) -->/.exec(text)?.[1] ?? '0';
  const sections = new Map(
    [...text.matchAll(/<!-- (\w+) -->\n([\s\S]*?)(?=\n<!-- \w+ -->|$)/g)].map(([, name, body]) => [
      name ?? '',
      (body ?? '').trim(),
    ]),
  );
  builtIn = {
    version,
    hash: sha256Hex(text),
    section: (name) => {
      const found = sections.get(name);
      if (found === undefined) throw new RangeError(`the agent's prompt has no section ${name}`);
      return found;
    },
  };
  return builtIn;
}

export interface PromptChoice {
  /** Ask for reasons between `<think>` marks. */
  readonly think: boolean;
  /** Describe the tools in words, for servers that have no tool parser. */
  readonly toolsInText: boolean;
}

/** The system message of one episode. */
export function systemMessage({ mode, policy, tools }: EpisodeReadyEvent, choice: PromptChoice): string {
  const { section } = agentPrompt();
  const toolLines = tools
    .map(({ name, description, inputSchema: parameters }) =>
      JSON.stringify({ name, description, parameters }),
    )
    .join('\n');
  // Without tools there is no shop either: the policy says all there is to say.
  if (tools.length === 0) return [policy.trim(), ...(choice.think ? [section('think')] : [])].join('\n\n');
  // Replaced by functions: a dollar sign in a policy is no pattern.
  return [
    section(mode === 'speech' ? 'call' : 'chat'),
    ...(choice.think ? [section('think')] : []),
    ...(choice.toolsInText ? [section('tools').replace('{{tools}}', () => toolLines)] : []),
    section('policy').replace('{{policy}}', () => policy.trim()),
  ].join('\n\n');
}
