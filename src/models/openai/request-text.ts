import type { ChatAudio, ChatMessage, ChatRequest, ChatTool } from '../chat-client.js';
import type { OpenAiChatOptions } from './options.js';
import { type AudioForm, audioFormOf, messageOf, settingsOf, toolsOf } from './request-body.js';

/** Messages and tools come again with every request of a conversation, as the same objects: they are written once. */
const writtenMessages = new WeakMap<ChatMessage, string>();
const writtenTools = new WeakMap<readonly ChatTool[], string>();
const plainBase64 = new WeakSet<ChatAudio>();

function isPlain(audio: ChatAudio): boolean {
  if (plainBase64.has(audio)) return true;
  if (!/^[A-Za-z0-9+/=]*$/.test(audio.wavBase64)) return false;
  plainBase64.add(audio);
  return true;
}

/** Base64 holds nothing to escape, so a clip's megabytes are joined in and neither scanned nor kept twice. */
function audioText(audio: ChatAudio, form: AudioForm): string {
  const data = isPlain(audio) ? audio.wavBase64 : JSON.stringify(audio.wavBase64).slice(1, -1);
  return form === 'input_audio'
    ? `{"type":"input_audio","input_audio":{"data":"${data}","format":"wav"}}`
    : `{"type":"audio_url","audio_url":{"url":"data:audio/wav;base64,${data}"}}`;
}

function messageText(message: ChatMessage, form: AudioForm): string {
  if (message.role === 'user' && typeof message.content !== 'string') {
    const parts = message.content.map((part) =>
      part.type === 'audio' ? audioText(part.audio, form) : JSON.stringify({ type: 'text', text: part.text }),
    );
    return `{"role":"user","content":[${parts.join(',')}]}`;
  }
  const known = writtenMessages.get(message);
  if (known !== undefined) return known;
  const text = JSON.stringify(messageOf(message, form));
  writtenMessages.set(message, text);
  return text;
}

function toolsText(tools: readonly ChatTool[]): string {
  const known = writtenTools.get(tools);
  if (known !== undefined) return known;
  const text = JSON.stringify(toolsOf(tools));
  writtenTools.set(tools, text);
  return text;
}

/** `JSON.stringify(requestBody(request, options))`, to the byte, without writing again what was written before. */
export function requestText(request: ChatRequest, options: OpenAiChatOptions): string {
  const { messages, tools = [] } = request;
  const form = audioFormOf(options);
  const written = messages.map((message) => messageText(message, form));
  const settings = JSON.stringify(settingsOf(request, options)).slice(1, -1);
  return [
    `{"model":${JSON.stringify(options.model)},"messages":[${written.join(',')}]`,
    ...(tools.length === 0 ? [] : [`"tools":${toolsText(tools)}`]),
    ...(settings === '' ? [] : [settings]),
  ]
    .join(',')
    .concat('}');
}
