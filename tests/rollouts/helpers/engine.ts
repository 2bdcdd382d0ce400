import { onTestFinished } from 'vitest';
import { oracleChatPolicy } from '../../helpers/oracle-chat-policy.js';
import {
  type StrictChatOptions,
  type StrictChatServer,
  startStrictChatServer,
} from '../../helpers/strict-chat-server.js';
import { domain } from './rollout-server.js';

export const MODEL = 'Qwen/Qwen2.5-Omni-7B';
export const TASK = domain.tasks[0]?.id ?? '';

const taskOf = (session: string): string =>
  decodeURIComponent(session).replace(/\.(?:speech|text)\.t\d+\.s\d+$/, '');

/** The trainer's engine: strict as vLLM is, with a policy that solves its task. */
export async function engine(options: Partial<StrictChatOptions> = {}): Promise<StrictChatServer> {
  const server = await startStrictChatServer({ policy: oracleChatPolicy(domain, taskOf), ...options });
  onTestFinished(() => server.close());
  return server;
}
