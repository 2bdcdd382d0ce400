import {
  type ChatClient,
  ChatError,
  type ChatMessage,
  type ChatReply,
  type ChatRequest,
} from '../../../models/index.js';
import { type Clock, describeError } from '../../../shared/index.js';
import type { MissingReason } from '../judge.js';
import type { JudgeBudget } from './judge-budget.js';
import { type ParsedVerdict, parseVerdicts } from './parse-verdicts.js';

export interface AskOptions {
  readonly client: ChatClient;
  readonly clock: Clock;
  readonly budget: JudgeBudget;
  /** How often one episode is put before the model, replies that cannot be used included. */
  readonly attempts: number;
  /** How often a request that failed and may succeed later is sent again. */
  readonly retries: number;
  /** Before the first retry; doubled each time. */
  readonly retryDelayMs: number;
  readonly timeoutMs: number;
}

export type Answer =
  | { readonly verdicts: readonly ParsedVerdict[] }
  | { readonly missing: MissingReason; readonly detail: string };

const MAX_ECHO_CHARACTERS = 4000;

async function completeOnce(
  request: ChatRequest,
  { client, clock, timeoutMs }: AskOptions,
): Promise<ChatReply> {
  const controller = new AbortController();
  const late = new ChatError(`no reply within ${timeoutMs} ms`, { retryable: true });
  let cancel = (): void => {};
  const deadline = new Promise<never>((_, reject) => {
    cancel = clock.after(timeoutMs, () => {
      controller.abort(late);
      reject(late);
    });
  });
  try {
    return await Promise.race([client.complete(request, controller.signal), deadline]);
  } finally {
    cancel();
  }
}

type Reply = { readonly reply: ChatReply } | { readonly missing: MissingReason; readonly detail: string };

async function complete(request: ChatRequest, options: AskOptions): Promise<Reply> {
  for (let retry = 0; ; retry += 1) {
    if (!options.budget.take())
      return {
        missing: 'budget-spent',
        detail: `after ${options.budget.requests} requests and ${options.budget.tokens} tokens`,
      };
    try {
      const reply = await completeOnce(request, options);
      options.budget.spend(reply);
      return { reply };
    } catch (error) {
      const mayRetry = error instanceof ChatError && error.retryable && retry < options.retries;
      if (!mayRetry) return { missing: 'model-failed', detail: describeError(error) };
      await new Promise<void>((resolve) => {
        options.clock.after(options.retryDelayMs * 2 ** retry, resolve);
      });
    }
  }
}

function faultOf(reply: ChatReply, fault: string): string {
  if (reply.finish === 'length') return `it was cut off at the token limit (${fault}); give shorter reasons`;
  return fault;
}

/** Puts a request before the model until it gives a usable reply, each time naming what was wrong with the last one. */
export async function askForVerdicts(
  request: ChatRequest,
  turns: number,
  options: AskOptions,
): Promise<Answer> {
  let messages: readonly ChatMessage[] = request.messages;
  let fault = '';
  for (let attempt = 0; attempt < options.attempts; attempt += 1) {
    const answer = await complete({ ...request, messages }, options);
    if ('missing' in answer) return answer;
    const parsed = parseVerdicts(answer.reply.content, turns);
    if (parsed.ok) return { verdicts: parsed.verdicts };
    fault = faultOf(answer.reply, parsed.fault);
    // The first prompt and the last reply: a pile of bad replies teaches nothing. Servers refuse empty messages.
    messages = [
      ...request.messages,
      { role: 'assistant', content: answer.reply.content.slice(0, MAX_ECHO_CHARACTERS) || '(empty)' },
      {
        role: 'user',
        content: `That reply cannot be used: ${fault}. Reply again with JSON only: {"verdicts":[{"turn":1,"reason":"...","verdict":1}, ...]}, exactly ${turns} entries, at most one -1.`,
      },
    ];
  }
  return {
    missing: 'no-usable-reply',
    detail: `${options.attempts} replies could not be used; the last: ${fault}`,
  };
}
