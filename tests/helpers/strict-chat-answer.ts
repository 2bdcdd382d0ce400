import type { StrictBody } from './strict-chat-rules.js';
import { MESSAGE_END, textTokens } from './strict-chat-tokens.js';

/** What the model behind the server says. Arguments are text, so that they can be malformed. */
export interface ModelAnswer {
  readonly content?: string;
  readonly reasoning?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: string }[];
  /** Cut off at the token limit. */
  readonly cutOff?: boolean;
}

interface AnswerContext {
  readonly body: StrictBody;
  readonly prompt: readonly number[];
  readonly index: number;
}

/** A chat completion as vLLM writes it, with token ids and log-probabilities when they were asked for. */
export function answerOf(answer: ModelAnswer, { body, prompt, index }: AnswerContext) {
  const { content, reasoning, calls = [], cutOff = false } = answer;
  const spoken = [content ?? '', ...calls.map((call) => sampledCall(call))];
  const ids = [...spoken.flatMap(textTokens), ...(cutOff ? [] : [MESSAGE_END])];
  return {
    id: `chatcmpl-${index}`,
    object: 'chat.completion' as const,
    created: 0,
    model: body.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant' as const,
          content: content ?? null,
          ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
          ...(calls.length === 0
            ? {}
            : {
                tool_calls: calls.map((call, place) => ({
                  id: `call-${index}-${place}`,
                  type: 'function' as const,
                  function: { ...call },
                })),
              }),
        },
        finish_reason: cutOff ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop',
        logprobs:
          body.logprobs === true
            ? {
                content: ids.map((id) => ({
                  token: `token_id:${id}`,
                  logprob: -(id % 100) / 100,
                  bytes: null,
                  top_logprobs: [],
                })),
              }
            : null,
        ...(body.return_token_ids === true ? { token_ids: ids } : {}),
      },
    ],
    usage: {
      prompt_tokens: prompt.length,
      completion_tokens: ids.length,
      total_tokens: prompt.length + ids.length,
    },
    ...(body.return_token_ids === true ? { prompt_token_ids: [...prompt] } : {}),
  };
}

/** A call counts in the prompt by name and arguments, however it was written. */
function sampledCall(call: { readonly name: string; readonly arguments: string }): string {
  try {
    return JSON.stringify([call.name, JSON.parse(call.arguments)]);
  } catch {
    return JSON.stringify([call.name, call.arguments]);
  }
}

const PIECE = 7;

function pieces(text: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; at += PIECE) found.push(text.slice(at, at + PIECE));
  return found;
}

/** The same completion as server-sent chunks: text and arguments in pieces, prompt ids on the first chunk only. */
export function streamChunks(whole: ReturnType<typeof answerOf>, body: StrictBody): object[] {
  const { choices, usage, prompt_token_ids, ...head } = whole;
  const [choice] = choices;
  if (choice === undefined) return [];
  const { message, finish_reason, logprobs, token_ids } = choice;
  const chunk = (delta: object, more: object = {}): object => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: null, logprobs: null, ...more }],
  });
  return [
    {
      ...chunk({ role: 'assistant', content: '' }),
      ...(prompt_token_ids === undefined ? {} : { prompt_token_ids }),
    },
    ...pieces(message.reasoning_content ?? '').map((piece) => chunk({ reasoning_content: piece })),
    ...pieces(message.content ?? '').map((piece) => chunk({ content: piece })),
    ...(message.tool_calls ?? []).flatMap((call, index) => [
      chunk({
        tool_calls: [
          { index, id: call.id, type: 'function', function: { name: call.function.name, arguments: '' } },
        ],
      }),
      ...pieces(call.function.arguments).map((piece) =>
        chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    chunk({}, { finish_reason, logprobs, ...(token_ids === undefined ? {} : { token_ids }) }),
    ...(body.stream_options?.include_usage === true ? [{ ...head, choices: [], usage }] : []),
  ];
}
