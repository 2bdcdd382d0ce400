import type { ChatAudio, ChatMessage, ChatPart } from '../../models/index.js';
import { audioTokens } from './customer-clip.js';
import type { ReadCall } from './read-reply.js';

/** What becomes of the customer's clips once they are not the newest any more. */
export type OlderAudio = 'keep' | 'drop' | 'transcribe';

export interface ConversationOptions {
  readonly system: string;
  readonly olderAudio: OlderAudio;
  readonly audioTokensPerSecond: number;
  /** Of the model, prompt and reply together. */
  readonly contextTokens: number;
  /** Kept free for the reply. */
  readonly replyTokens: number;
  /** Most audio tokens in one prompt; older clips beyond it are left out. */
  readonly audioBudgetTokens: number;
  /** Calls and results travel as text, for servers without a tool parser. */
  readonly toolsInText: boolean;
}

interface CustomerEntry {
  readonly kind: 'customer';
  readonly text: string | null;
  readonly clip: ChatAudio | null;
  transcript: string | null;
}

type Entry =
  | CustomerEntry
  | { readonly kind: 'assistant'; readonly content: string; readonly calls: readonly ReadCall[] }
  | { readonly kind: 'result'; readonly id: string; readonly content: string }
  | { readonly kind: 'note'; readonly text: string };

const LEFT_OUT = '[The customer spoke here. The recording is no longer at hand; go by what came after it.]';
/** Low on purpose (English has about four): an estimate that is too high loses an old clip, one too low the episode. */
const CHARACTERS_PER_TOKEN = 3.3;
const MARKS_PER_CLIP = 2;

/** A prompt with what its clips come to. `tooLong`: not even the newest clip fits into the context. */
export interface BuiltPrompt {
  readonly messages: readonly ChatMessage[];
  readonly clips: readonly ChatAudio[];
  readonly audioTokens: number;
  readonly tooLong: boolean;
}

/**
 * What was said and done, as a model's messages. Order is kept: results right behind their calls, each call with its result,
 * each clip where it was spoken. The newest clip is always sent; older ones as far as choice and budget allow, newest first.
 */
export class Conversation {
  readonly #options: ConversationOptions;
  readonly #system: ChatMessage;
  readonly #entries: Entry[] = [];
  /** Of everything but the system message and the customer's words. */
  #characters = 0;
  /** What does not change is the same object in every prompt, so that whoever sends it need not write it again. */
  readonly #built = new Map<Entry, ChatMessage>();

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#system = { role: 'system', content: options.system };
  }

  customer(text: string | null, clip: ChatAudio | null): void {
    this.#entries.push({ kind: 'customer', text, clip, transcript: null });
  }

  assistant(content: string, calls: readonly ReadCall[]): void {
    this.#characters += content.length + JSON.stringify(calls).length;
    this.#entries.push({ kind: 'assistant', content, calls });
  }

  result(id: string, content: string): void {
    this.#characters += content.length;
    this.#entries.push({ kind: 'result', id, content });
  }

  /** Something that the model must know and that nobody said. */
  note(text: string): void {
    this.#characters += text.length;
    this.#entries.push({ kind: 'note', text });
  }

  /** Clips that are not the newest any more and have no transcript yet. */
  untranscribed(): readonly CustomerEntry[] {
    const spoken = this.#entries.filter((entry) => entry.kind === 'customer' && entry.clip !== null);
    return spoken.slice(0, -1).filter((entry): entry is CustomerEntry => {
      return entry.kind === 'customer' && entry.transcript === null;
    });
  }

  build(): BuiltPrompt {
    const { olderAudio, audioTokensPerSecond, audioBudgetTokens } = this.#options;
    const spoken = this.#entries.filter((entry) => entry.kind === 'customer' && entry.clip !== null);
    const room = this.#roomForAudio();
    const sent = new Set<Entry>();
    let spent = 0;
    for (const entry of spoken.toReversed()) {
      if (entry.kind !== 'customer' || entry.clip === null) continue;
      const tokens = audioTokens(entry.clip.durationMs, audioTokensPerSecond) + MARKS_PER_CLIP;
      const isNewest = sent.size === 0;
      if (!isNewest && (olderAudio !== 'keep' || spent + tokens > Math.min(room, audioBudgetTokens))) break;
      sent.add(entry);
      spent += tokens;
    }
    return {
      messages: [
        this.#system,
        ...this.#entries.map((entry) => this.#built.get(entry) ?? this.#build(entry, sent.has(entry))),
      ],
      clips: spoken.flatMap((entry) =>
        entry.kind === 'customer' && entry.clip !== null && sent.has(entry) ? [entry.clip] : [],
      ),
      audioTokens: spent,
      tooLong: spent > room,
    };
  }

  #roomForAudio(): number {
    const { system, contextTokens, replyTokens } = this.#options;
    let characters = system.length + this.#characters;
    for (const entry of this.#entries)
      if (entry.kind === 'customer') characters += (entry.text ?? entry.transcript ?? '').length;
    return contextTokens - replyTokens - Math.ceil(characters / CHARACTERS_PER_TOKEN);
  }

  #build(entry: Entry, withAudio: boolean): ChatMessage {
    const message = this.#messageOf(entry, withAudio);
    // Clips go and transcripts come.
    if (entry.kind !== 'customer' || entry.clip === null) this.#built.set(entry, message);
    return message;
  }

  #messageOf(entry: Entry, withAudio: boolean): ChatMessage {
    const { toolsInText } = this.#options;
    switch (entry.kind) {
      case 'customer':
        return { role: 'user', content: customerContent(entry, withAudio) };
      case 'note':
        return { role: 'user', content: `[${entry.text}]` };
      case 'result':
        return toolsInText
          ? { role: 'user', content: `<tool_response>\n${entry.content}\n</tool_response>` }
          : { role: 'tool', toolCallId: entry.id, content: entry.content };
      case 'assistant':
        return toolsInText || entry.calls.length === 0
          ? { role: 'assistant', content: [entry.content, ...entry.calls.map(callText)].join('\n').trim() }
          : {
              role: 'assistant',
              content: entry.content,
              toolCalls: entry.calls.map(({ id, name, arguments: args }) => ({
                ...{ id, name },
                // Servers read the arguments of the history as JSON; what the model wrote is in the error it got.
                arguments: typeof args === 'string' ? '{}' : JSON.stringify(args),
              })),
            };
    }
  }
}

function callText({ name, arguments: args }: ReadCall): string {
  return `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;
}

function customerContent(
  { text, clip, transcript }: CustomerEntry,
  withAudio: boolean,
): string | readonly ChatPart[] {
  if (clip === null) return text ?? '[The customer says nothing.]';
  if (!withAudio) return text ?? transcript ?? LEFT_OUT;
  const written: ChatPart[] = text === null ? [] : [{ type: 'text', text }];
  return [...written, { type: 'audio', audio: clip }];
}
