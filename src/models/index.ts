export type {
  ChatClient,
  ChatFormat,
  ChatMessage,
  ChatReply,
  ChatRequest,
} from './chat-client.js';
export { ChatError, ChatRecordingError } from './errors.js';
export { chatRequestHash, createRecordedChat, recordChat } from './recorded-chat.js';
export { createScriptedChat, type ScriptedAnswer, type ScriptedChat } from './scripted-chat.js';
