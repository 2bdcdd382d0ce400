import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerOf, type ModelAnswer, streamChunks } from './strict-chat-answer.js';
import {
  checkRequest,
  DEFAULT_FLAGS,
  Refusal,
  type SeenMessage,
  type StrictBody,
  type StrictServerFlags,
  tokenParts,
} from './strict-chat-rules.js';
import { generationPrompt, messageTokens } from './strict-chat-tokens.js';

/** A request that was taken, as the model behind the server gets it. */
export interface SeenRequest {
  /** Counts all requests from 0, refused ones and retries included. */
  readonly index: number;
  /** The client's `x-session-id` header. */
  readonly session: string;
  readonly body: StrictBody;
  readonly messages: readonly SeenMessage[];
}

/** What is done to a request instead of, or on top of, answering it. */
export type ServerFault =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterSeconds?: number }
  /** The connection goes after so many bytes of the body; 0: before the first. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** Never answers. */
  | { readonly kind: 'silent' }
  /** 200 with this body. */
  | { readonly kind: 'body'; readonly text: string };

export interface StrictChatOptions extends Partial<StrictServerFlags> {
  /** The model: what it answers; it may take its time. */
  readonly policy: (request: SeenRequest) => ModelAnswer | Promise<ModelAnswer>;
  readonly apiKey?: string;
  readonly fault?: (index: number, path: string) => ServerFault | null;
  /** Before the first byte of an answer. */
  readonly firstTokenMs?: number;
  /** For each further token of the answer; it comes whole when the last one is there. */
  readonly tokenMs?: number;
  /** Called with what an answer is made to take by the two settings above. */
  readonly onPace?: (session: string, ms: number) => void;
  /** Called for everything that comes in. */
  readonly onAnyRequest?: () => void;
  /** Called with every body, before it is judged. */
  readonly onRequest?: (request: IncomingMessage, body: unknown) => void;
}

export interface StrictChatServer {
  /** http://127.0.0.1:port/v1 */
  readonly baseUrl: string;
  /** Requests that were taken. */
  readonly seen: readonly SeenRequest[];
  /** Why requests were refused, in order. */
  readonly refusals: readonly string[];
  /** TCP connections opened by clients so far, and most requests that were under way at once. */
  readonly connections: () => number;
  readonly mostAtOnce: () => number;
  close(): Promise<void>;
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new Refusal(400, 'the body is not JSON');
  }
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function sendCut(response: ServerResponse, text: string, afterBytes: number): void {
  const kept = Buffer.from(text).subarray(0, afterBytes);
  if (kept.length === 0) response.destroy();
  else response.write(kept, () => response.destroy());
}

/**
 * A chat server as strict as the real ones (vLLM, SGLang, OpenAI): it refuses what they refuse, with their words, and has a
 * scripted policy for a model. Token ids are made up; their lengths follow the audio geometry of the real processor.
 */
export async function startStrictChatServer(options: StrictChatOptions): Promise<StrictChatServer> {
  const flags: StrictServerFlags = { ...DEFAULT_FLAGS, ...options };
  const seen: SeenRequest[] = [];
  const refusals: string[] = [];
  let requests = 0;
  let connections = 0;
  let underWay = 0;
  let mostAtOnce = 0;

  const promptOf = (body: StrictBody, messages: readonly SeenMessage[]): number[] => [
    ...(body.tools === undefined
      ? []
      : messageTokens('tools', [{ text: JSON.stringify(body.tools) }], flags.audioTokensPerSecond)),
    ...messages.flatMap((message) =>
      messageTokens(message.role, tokenParts(message), flags.audioTokensPerSecond),
    ),
    ...generationPrompt(),
  ];

  async function complete(request: IncomingMessage, response: ServerResponse, index: number): Promise<void> {
    const raw = await readBody(request);
    options.onRequest?.(request, raw);
    const { body, messages } = checkRequest(raw, flags);
    const prompt = promptOf(body, messages);
    const wanted = body.max_completion_tokens ?? body.max_tokens ?? 1;
    if (prompt.length + wanted > flags.contextTokens)
      throw new Refusal(
        400,
        `This model's maximum context length is ${flags.contextTokens} tokens. However, you requested ${prompt.length + wanted} tokens (${prompt.length} in the messages, ${wanted} in the completion). Please reduce the length of the messages or completion.`,
      );
    const session = String(request.headers['x-session-id'] ?? '');
    const entry: SeenRequest = { index, session, body, messages };
    seen.push(entry);
    const answer = answerOf(await options.policy(entry), { body, prompt, index });
    const { firstTokenMs = 0, tokenMs = 0 } = options;
    const paceMs = firstTokenMs + tokenMs * (answer.usage.completion_tokens - 1);
    options.onPace?.(session, paceMs);
    if (paceMs > 0) await new Promise((resolve) => setTimeout(resolve, paceMs));
    const fault = options.fault?.(index, request.url ?? '') ?? null;
    const cut = fault?.kind === 'cut' ? fault.afterBytes : null;
    if (body.stream === true) {
      const text = streamChunks(answer, body)
        .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
        .join('');
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (cut === null) response.end(`${text}data: [DONE]\n\n`);
      else sendCut(response, text, cut);
      return;
    }
    if (cut === null) return sendJson(response, 200, answer);
    response.writeHead(200, { 'content-type': 'application/json' });
    sendCut(response, JSON.stringify(answer), cut);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const index = requests++;
    options.onAnyRequest?.();
    if (options.apiKey !== undefined && request.headers.authorization !== `Bearer ${options.apiKey}`)
      throw new Refusal(401, 'Incorrect API key provided', 'AuthenticationError');
    const fault = options.fault?.(index, request.url ?? '') ?? null;
    if (fault?.kind === 'status') {
      if (fault.retryAfterSeconds !== undefined)
        response.setHeader('retry-after', String(fault.retryAfterSeconds));
      throw new Refusal(fault.status, `told to answer ${fault.status}`, 'Fault');
    }
    if (fault?.kind === 'silent') return;
    if (fault?.kind === 'body') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(fault.text);
      return;
    }
    if (request.method === 'GET' && request.url === '/v1/models')
      return sendJson(response, 200, {
        object: 'list',
        data: flags.models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'strict' })),
      });
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions')
      throw new Refusal(404, 'Not Found', 'NotFoundError');
    await complete(request, response, index);
  }

  const server = createServer((request, response) => {
    underWay += 1;
    mostAtOnce = Math.max(mostAtOnce, underWay);
    response.once('close', () => {
      underWay -= 1;
    });
    serve(request, response).catch((error: unknown) => {
      const refusal =
        error instanceof Refusal ? error : new Refusal(500, String(error), 'InternalServerError');
      refusals.push(refusal.message);
      if (response.headersSent) response.destroy();
      else
        sendJson(response, refusal.status, {
          error: { message: refusal.message, type: refusal.type, param: null, code: refusal.status },
        });
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    seen,
    refusals,
    connections: () => connections,
    mostAtOnce: () => mostAtOnce,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
