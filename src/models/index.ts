export {
  type ChatClient,
  type ChatFormat,
  type ChatMessage,
  type ChatReply,
  type ChatRequest,
  chatMessageSchema,
  chatReplySchema,
} from './chat-client.js';
export { ChatError, ChatRecordingError } from './errors.js';
export { chatRequestHash, createRecordedChat, recordChat } from './recorded-chat.js';
export { createScriptedChat, type ScriptedAnswer, type ScriptedChat } from './scripted-chat.js';
