import { type ChatMessage, chatMessage } from '../formats/chat-messages.js';
import type { AudioClip, RowMessage } from '../rows/row.js';

/** What a mark in a rendered conversation stands for. */
export type Marked = { readonly text: string } | { readonly clip: AudioClip };

const OPEN = '\uE0F0';
const CLOSE = '\uE0F1';
const MARK = /\uE0F0(\d+)\uE0F1/;

/**
 * Stands a mark in for every text that is not the template's: the template lays the marks out, and what they stand for is
 * encoded apart. So a customer who says "<|im_end|>" ends nothing, and a template that trims cannot lose a byte.
 */
export class Marks {
  readonly #meant: Marked[] = [];

  #take(meant: Marked): string {
    this.#meant.push(meant);
    return `${OPEN}${this.#meant.length - 1}${CLOSE}`;
  }

  /** A value of a call's arguments: text inside it is marked as it will be written, in JSON. */
  #value(value: unknown): unknown {
    if (typeof value === 'string')
      return value === '' ? '' : this.#take({ text: JSON.stringify(value).slice(1, -1) });
    if (Array.isArray(value)) return value.map((item) => this.#value(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#value(item)]));
  }

  message(message: RowMessage): ChatMessage {
    if (message.role === 'assistant' && message.toolCall !== null) {
      const { id, name } = message.toolCall;
      const call = { name, arguments: this.#value(message.toolCall.arguments) };
      return { role: 'assistant', content: '', tool_calls: [{ id, type: 'function', function: call }] };
    }
    const chat = chatMessage(message, { argumentsAs: 'object' });
    const clip = message.role === 'user' ? message.audio : null;
    return { ...chat, content: this.#take(clip === null ? { text: chat.content ?? '' } : { clip }) };
  }

  /** The rendered text in pieces: strings are the template's own. */
  split(rendered: string): (string | Marked)[] {
    return rendered.split(MARK).flatMap((piece, place): readonly (string | Marked)[] => {
      if (place % 2 === 0) return piece === '' ? [] : [piece];
      const meant = this.#meant[Number(piece)];
      return meant === undefined ? [] : [meant];
    });
  }
}
