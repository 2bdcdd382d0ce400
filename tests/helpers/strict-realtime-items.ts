import { type NewItem, RealtimeRefusal } from './strict-realtime-rules.js';

/** An item of the conversation as the model behind the server sees it. */
export interface StrictItem {
  readonly id: string;
  readonly type: 'message' | 'function_call' | 'function_call_output';
  readonly role: 'user' | 'assistant' | 'system' | null;
  status: 'completed' | 'incomplete' | 'in_progress';
  /** What was written or, of an assistant's sound, its transcript. */
  text: string;
  /** Sound in it, as the session's format measures it. */
  audioMs: number;
  /** False: written by the client. */
  readonly spoken: boolean;
  truncatedAtMs: number | null;
  readonly callId: string | null;
  readonly name: string | null;
}

type Names = { readonly userAudio: string; readonly text: string; readonly audio: string };
const GA: Names = { userAudio: 'input_audio', text: 'output_text', audio: 'output_audio' };
const BETA: Names = { userAudio: 'input_audio', text: 'text', audio: 'audio' };

/** As the wire shows it. */
export function wireItem(item: StrictItem, ga: boolean): object {
  const { id, type, role, status, text, callId, name } = item;
  const base = { id, object: 'realtime.item', type, status };
  if (type === 'function_call') return { ...base, call_id: callId, name, arguments: text };
  if (type === 'function_call_output') return { ...base, call_id: callId, output: text };
  const names = ga ? GA : BETA;
  const content =
    role === 'assistant'
      ? item.spoken
        ? { type: names.audio, transcript: text }
        : { type: names.text, text }
      : item.audioMs > 0
        ? { type: names.userAudio, transcript: null }
        : { type: 'input_text', text };
  return { ...base, role, content: status === 'in_progress' ? [] : [content] };
}

/** The conversation: items in order, and what may be done to them. */
export class StrictItems {
  readonly list: StrictItem[] = [];

  find(id: string): StrictItem {
    const item = this.list.find((entry) => entry.id === id);
    if (item === undefined)
      throw new RealtimeRefusal('invalid_value', `Item with item_id '${id}' not found.`, 'item_id');
    return item;
  }

  get lastId(): string | null {
    return this.list.at(-1)?.id ?? null;
  }

  /** @param msOf the length of base64 sound in the session's format */
  create(
    item: NewItem,
    previous: string | null | undefined,
    given: { id: string; msOf: (audio: string) => number },
  ): StrictItem {
    const id = item.id ?? given.id;
    if (this.list.some((entry) => entry.id === id))
      throw new RealtimeRefusal('invalid_value', `Item with item_id '${id}' already exists.`, 'item.id');
    if (item.type === 'function_call_output' && !this.#hasCall(item.call_id))
      throw new RealtimeRefusal(
        'invalid_tool_call_id',
        `Tool call ID '${item.call_id}' not found in conversation.`,
        'item.call_id',
      );
    const contents = item.type === 'message' ? item.content : [];
    const made: StrictItem = {
      ...{ id, type: item.type, status: 'completed', spoken: false, truncatedAtMs: null },
      role: item.type === 'message' ? item.role : null,
      text:
        item.type === 'function_call'
          ? item.arguments
          : item.type === 'function_call_output'
            ? item.output
            : contents.map((part) => ('text' in part ? part.text : '')).join(''),
      audioMs: contents.reduce((sum, part) => sum + ('audio' in part ? given.msOf(part.audio) : 0), 0),
      callId: item.type === 'message' ? null : item.call_id,
      name: item.type === 'function_call' ? item.name : null,
    };
    this.add(made, previous);
    return made;
  }

  /** After `previous`; null or `root`: at the beginning; undefined: at the end. */
  add(item: StrictItem, previous?: string | null): void {
    if (previous === undefined || previous === null) this.list.push(item);
    else if (previous === 'root') this.list.unshift(item);
    else this.list.splice(this.list.indexOf(this.find(previous)) + 1, 0, item);
  }

  remove(id: string): void {
    this.list.splice(this.list.indexOf(this.find(id)), 1);
  }

  truncate(id: string, audioEndMs: number): void {
    const item = this.find(id);
    if (item.role !== 'assistant' || !item.spoken)
      throw new RealtimeRefusal(
        'invalid_value',
        'Only model output audio messages can be truncated',
        'item_id',
      );
    if (audioEndMs <= 0)
      throw new RealtimeRefusal(
        'invalid_value',
        `Invalid 'audio_end_ms': ${audioEndMs} is not above 0.`,
        'audio_end_ms',
      );
    if (audioEndMs > item.audioMs)
      throw new RealtimeRefusal(
        'invalid_value',
        `Audio content of ${Math.floor(item.audioMs)}ms is already shorter than ${audioEndMs}ms`,
        'audio_end_ms',
      );
    item.audioMs = audioEndMs;
    item.truncatedAtMs = audioEndMs;
    item.text = '';
  }

  /** Calls that have no output. */
  unanswered(): StrictItem[] {
    const answered = new Set(
      this.list.filter(({ type }) => type === 'function_call_output').map(({ callId }) => callId),
    );
    return this.list.filter(({ type, callId }) => type === 'function_call' && !answered.has(callId));
  }

  #hasCall(callId: string): boolean {
    return this.list.some((entry) => entry.type === 'function_call' && entry.callId === callId);
  }
}
