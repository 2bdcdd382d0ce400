import type { ChatMessage, ChatPart, ChatRequest, ChatTool } from '../chat-client.js';
import type { OpenAiChatOptions } from './options.js';

export type AudioForm = 'audio_url' | 'input_audio';

function partOf(part: ChatPart, audioForm: AudioForm): object {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { wavBase64 } = part.audio;
  return audioForm === 'input_audio'
    ? { type: 'input_audio', input_audio: { data: wavBase64, format: 'wav' } }
    : { type: 'audio_url', audio_url: { url: `data:audio/wav;base64,${wavBase64}` } };
}

export function messageOf(message: ChatMessage, audioForm: AudioForm): object {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return {
        role: 'user',
        content:
          typeof message.content === 'string'
            ? message.content
            : message.content.map((part) => partOf(part, audioForm)),
      };
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
    case 'assistant': {
      const { content, toolCalls = [], verbatim } = message;
      if (verbatim !== undefined) return verbatim;
      if (toolCalls.length === 0) return { role: 'assistant', content };
      return {
        role: 'assistant',
        content: content === '' ? null : content,
        tool_calls: toolCalls.map(({ id, name, arguments: args }) => ({
          ...{ id, type: 'function' },
          function: { name, arguments: args },
        })),
      };
    }
  }
}

function tokenFields({ server }: OpenAiChatOptions): object {
  if (server === 'vllm') return { logprobs: true, return_token_ids: true };
  if (server === 'sglang') return { logprobs: true, return_token_ids: true, return_prompt_token_ids: true };
  return { logprobs: true };
}

/** What a server takes by itself. */
export function audioFormOf({ audioForm, server }: OpenAiChatOptions): AudioForm {
  return audioForm ?? (server === 'vllm' || server === 'sglang' ? 'audio_url' : 'input_audio');
}

export function toolsOf(tools: readonly ChatTool[]): object[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }));
}

/** Everything behind model, messages and tools. */
export function settingsOf(request: ChatRequest, options: OpenAiChatOptions): Record<string, unknown> {
  const { server, stream = false } = options;
  const { tools = [], format } = request;
  return {
    ...(tools.length === 0 ? {} : { tool_choice: 'auto', parallel_tool_calls: request.parallelToolCalls }),
    ...(format === undefined
      ? {}
      : {
          response_format: {
            type: 'json_schema',
            json_schema: { name: format.name, schema: format.schema, strict: true },
          },
        }),
    temperature: request.temperature,
    top_p: request.topP,
    seed: request.seed,
    [server === 'openai' ? 'max_completion_tokens' : 'max_tokens']: request.maxTokens,
    ...(request.tokens === true ? tokenFields(options) : {}),
    ...(options.saltCache === true && request.scope !== undefined ? { cache_salt: request.scope } : {}),
    ...options.extraBody,
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  };
}

/** The body of a chat completion, in the words of the server. Undefined fields are left out by JSON. */
export function requestBody(request: ChatRequest, options: OpenAiChatOptions): Record<string, unknown> {
  const { messages, tools = [] } = request;
  const audioForm = audioFormOf(options);
  return {
    model: options.model,
    messages: messages.map((message) => messageOf(message, audioForm)),
    ...(tools.length === 0 ? {} : { tools: toolsOf(tools) }),
    ...settingsOf(request, options),
  };
}
