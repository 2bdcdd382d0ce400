import type { ChatReply, ChatToolCall } from '../../models/index.js';
import type { JsonObject } from '../../shared/index.js';
import { findTextCalls } from './hermes.js';

export interface ReadCall {
  readonly id: string;
  readonly name: string;
  /** Text where no object could be read: the sandbox says what is wrong with it, and the record has it. */
  readonly arguments: JsonObject | string;
}

/** A model's reply, taken apart. */
export interface ReadReply {
  /** What is for the customer; empty beside calls. */
  readonly text: string;
  /** Why: from the server's own field, `<think>` marks, a "Thought:" line, or text beside a call. */
  readonly reasoning: string | null;
  readonly calls: readonly ReadCall[];
  /** What could not be read, one line each, for the model. */
  readonly faults: readonly string[];
}

/** A reply can begin inside a thought (the template opened it) or end inside one (it was cut off). */
function splitThoughts(content: string): { readonly text: string; readonly thoughts: string[] } {
  const thoughts: string[] = [];
  let text = content.replace(/<think>([\s\S]*?)<\/think>/g, (_, thought: string) => {
    thoughts.push(thought.trim());
    return '';
  });
  const close = text.lastIndexOf('</think>');
  if (close >= 0) {
    thoughts.push(text.slice(0, close).trim());
    text = text.slice(close + '</think>'.length);
  }
  const open = text.indexOf('<think>');
  if (open >= 0) {
    thoughts.push(text.slice(open + '<think>'.length).trim());
    text = text.slice(0, open);
  }
  const react = /^\s*thought:\s*([\s\S]*?)\n\s*(?:(?:final )?answer|reply|response|say):\s*([\s\S]*)$/i.exec(
    text,
  );
  if (react !== null) {
    thoughts.push((react[1] ?? '').trim());
    text = react[2] ?? '';
  }
  return { text: text.trim(), thoughts };
}

/** Arguments as an object: JSON, or JSON in a JSON string, as some models write it. Else the text as it is. */
function readArguments(text: string): JsonObject | string {
  let value: unknown = text;
  for (let depth = 0; depth < 2 && typeof value === 'string'; depth += 1) {
    try {
      value = JSON.parse(value);
    } catch {
      return text;
    }
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : text;
}

function readCall({ id, name, arguments: args }: ChatToolCall): ReadCall | string {
  if (name.trim() === '') return 'a tool call needs the tool\'s "name"';
  return { id, name, arguments: readArguments(args) };
}

/**
 * Takes a reply apart. Calls come from the API's field; where it is empty, from the text. Whatever cannot be read is a fault
 * that the model is told, never an exception.
 * @param prefix makes the ids of calls that have none of their own
 */
export function readReply(reply: ChatReply, prefix: string): ReadReply {
  const { text, thoughts } = splitThoughts(reply.content);
  const written = (reply.toolCalls ?? []).length === 0 ? findTextCalls(text) : null;
  const wanted: readonly ChatToolCall[] =
    reply.toolCalls !== undefined && reply.toolCalls.length > 0
      ? reply.toolCalls
      : (written?.calls ?? []).map((call, index) => ({ id: `${prefix}-${index + 1}`, ...call }));
  const calls: ReadCall[] = [];
  const faults = [...(written?.faults ?? [])];
  const ids = new Set<string>();
  for (const [index, call] of wanted.entries()) {
    const read = readCall(call);
    if (typeof read === 'string') {
      faults.push(read);
      continue;
    }
    // Two calls with one id could not be answered apart.
    const id = read.id === '' || ids.has(read.id) ? `${prefix}-${index + 1}` : read.id;
    ids.add(id);
    calls.push({ ...read, id });
  }
  const rest = written === null ? text : written.rest;
  const isCalling = calls.length + faults.length > 0;
  const reasons = [reply.reasoning ?? '', ...thoughts, ...(isCalling ? [rest] : [])].filter(
    (reason) => reason !== '',
  );
  return {
    text: isCalling ? '' : rest,
    reasoning: reasons.length === 0 ? null : reasons.join('\n'),
    calls,
    faults,
  };
}
