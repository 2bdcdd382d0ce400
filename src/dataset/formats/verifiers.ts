import type { DatasetRow, RowMessage } from '../rows/row.js';
import type { TokenBlock } from '../tokens/token-block.js';
import { curriculumFacts } from './chat-messages.js';
import type { JsonlFormat } from './format.js';

function messageOf(message: RowMessage): object {
  if (message.role === 'tool')
    return { role: 'tool', tool_call_id: message.callId, name: message.name, content: message.content };
  if (message.role !== 'assistant') return { role: message.role, content: message.content };
  const { toolCall, content, reasoning } = message;
  return {
    role: 'assistant',
    content,
    ...(reasoning !== null && { reasoning_content: reasoning }),
    ...(toolCall !== null && {
      tool_calls: [
        {
          id: toolCall.id,
          type: 'function',
          name: toolCall.name,
          arguments: JSON.stringify(toolCall.arguments),
        },
      ],
    }),
  };
}

interface NodeTokens {
  readonly token_ids: readonly number[];
  readonly mask: readonly boolean[];
  readonly logprobs: readonly number[];
  readonly advantages: readonly number[] | null;
}

const NO_TOKENS: NodeTokens = { token_ids: [], mask: [], logprobs: [], advantages: null };

/**
 * What each node adds to the sequence. An agent's node takes the scaffold before its own tokens, the first node the whole
 * opening; so the nodes along the path give the sequence back, id by id.
 */
function nodeTokens({ messages }: DatasetRow, tokens: TokenBlock): NodeTokens[] {
  const opening = tokens.promptIds.length;
  let from = 0;
  return messages.map((message, place) => {
    if (place === 0)
      return { ...NO_TOKENS, token_ids: tokens.promptIds, mask: tokens.promptIds.map(() => false) };
    if (message.role !== 'assistant') return NO_TOKENS;
    const span = tokens.turnSpans[message.turnIndex];
    if (span === undefined) return NO_TOKENS;
    const end = span.start + span.tokens - opening;
    const own = span.start - opening;
    const node = {
      token_ids: tokens.responseIds.slice(from, end),
      mask: tokens.responseMask.slice(from, end).map((bit) => bit === 1),
      logprobs: tokens.logProbs?.slice(own, end) ?? [],
      advantages: tokens.tokenAdvantages?.slice(own, end) ?? null,
    };
    from = end;
    return node;
  });
}

/**
 * Traces of verifiers, version 1: a graph of messages, here one path. Its messages cannot hold sound, so the customer's
 * turns stand in their written form. Times are 0: records know no clock.
 */
export const verifiersFormat: JsonlFormat = {
  name: 'verifiers',
  kind: 'jsonl',
  audio: 'none',
  summary: 'verifiers and prime-rl: version 1 traces, text',
  convert: (row, { tokens }) => {
    if (row.messages[0]?.role === 'assistant') return { skipped: 'the agent speaks first' };
    const perNode = tokens === null ? null : nodeTokens(row, tokens);
    const tools = row.tools.map((tool) => ({ type: 'function', ...tool.function }));
    const span = { start: 0, end: 0 };
    const value = {
      version: 1,
      id: row.id,
      verifiers: { version: 'parlor' },
      task: {
        type: row.domain === 'maths' ? 'ParlorMaths' : 'ParlorRetail',
        data: { id: row.task, name: row.task, mode: row.mode, seed: row.seed },
        ...{ key: row.task, hash: row.taskHash },
      },
      agent: { config: { model: row.agent }, name: 'agent', trainable: true },
      tools,
      nodes: row.messages.map((message, place) => ({
        parent: place === 0 ? null : place - 1,
        ...(place === 0 && tools.length > 0 && { tools }),
        message: messageOf(message),
        sampled: message.role === 'assistant',
        timestamp: 0,
        ...(perNode?.[place] ?? {}),
      })),
      rewards: { parlor: row.score === null ? null : { score: row.score, weight: 1 } },
      metrics: { outcome: row.outcome, record_reward: row.recordReward },
      info: {
        ...{ group: row.group, mode: row.mode, kind: row.kind, turns: row.turns },
        ...(row.liveJudge === null ? {} : { live_judge: row.liveJudge }),
        ...curriculumFacts(row),
        rollout_type: tokens?.origin === 'engine' ? 'train' : 'eval',
      },
      ...{ is_completed: row.end !== null, ok: row.end?.owner !== 'platform' },
      stop_condition: row.end?.reason ?? null,
      timing: { start: 0, boot: span, setup: span, agent: span, finalize: span, scoring: span },
    };
    return { values: [value] };
  },
};
