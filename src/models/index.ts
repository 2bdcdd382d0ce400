export type {
  ChatAudio,
  ChatClient,
  ChatFormat,
  ChatMessage,
  ChatPart,
  ChatReply,
  ChatRequest,
  ChatTokens,
  ChatTool,
  ChatToolCall,
} from './chat-client.js';
export { ChatError, type ChatFailure, ChatRecordingError } from './errors.js';
export { blotKey } from './openai/blot-key.js';
export { createOpenAiChat } from './openai/openai-chat.js';
export type { OpenAiChatOptions, ServerKind } from './openai/options.js';
export { createProviderGates } from './openai/provider-gates.js';
export { createRecordedChat, recordChat } from './recorded/recorded-chat.js';
export { chatRequestHash } from './recorded/request-outline.js';
export { createScriptedChat, type ScriptedAnswer, type ScriptedChat } from './scripted-chat.js';
export { createOpenAiTranscriber } from './transcription/openai-transcriber.js';
export type { Transcriber } from './transcription/transcriber.js';
