import type { ChatAudio, ChatMessage, ChatPart } from '../../models/index.js';
import type { JsonObject } from '../../shared/index.js';
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
  /** Nothing that was sent once is ever changed or left out: prompts only grow, and one that does not fit is too long. */
  readonly whole?: boolean | undefined;
}

/** A clip of the customer's, with what it says once somebody has written that down. */
export interface HeardClip {
  readonly clip: ChatAudio;
  transcript: string | null;
}

interface CustomerEntry {
  readonly kind: 'customer';
  /** In the order in which they came. */
  readonly parts: readonly (string | HeardClip)[];
  /** Those of the parts that are clips. */
  readonly clips: readonly HeardClip[];
}

type Entry =
  | CustomerEntry
  | {
      readonly kind: 'assistant';
      readonly content: string;
      readonly calls: readonly ReadCall[];
      readonly verbatim: JsonObject | undefined;
    }
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
  /** Those with a clip. */
  readonly #spoken: CustomerEntry[] = [];
  /** Of everything but the system message and transcripts. */
  #characters = 0;
  /** What does not change is the same object in every prompt, so that whoever sends it need not write it again. */
  readonly #built = new Map<Entry, ChatMessage>();

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#system = { role: 'system', content: options.system };
  }

  /** Words and clips of one utterance, in order. */
  customer(said: readonly (string | ChatAudio)[]): void {
    const parts = said.map((part) => (typeof part === 'string' ? part : { clip: part, transcript: null }));
    const clips = parts.filter((part) => typeof part !== 'string');
    const entry: CustomerEntry = { kind: 'customer', parts, clips };
    this.#entries.push(entry);
    if (clips.length > 0) this.#spoken.push(entry);
    for (const part of said) if (typeof part === 'string') this.#characters += part.length;
  }

  /** @param verbatim sent in place of the rest, where the server gave it */
  assistant(content: string, calls: readonly ReadCall[], verbatim?: JsonObject): void {
    this.#characters += content.length + JSON.stringify(calls).length;
    this.#entries.push({ kind: 'assistant', content, calls, verbatim });
  }

  /**
   * The customer broke in: of what the model said last only so much was heard. Where nothing that was sent may change, a
   * note says so.
   */
  cutSaid(heardText: string): void {
    const place = this.#entries.findLastIndex(({ kind }) => kind === 'assistant');
    const entry = this.#entries[place];
    const heard = heardText.trim();
    if (entry?.kind !== 'assistant') return;
    if (this.#options.whole === true || entry.verbatim !== undefined) {
      this.note(
        heard === ''
          ? 'The customer broke in before a word of your last message was heard'
          : `The customer broke in. Of your last message only this was heard: ${heard}`,
      );
      return;
    }
    // Servers refuse an empty message.
    const content = `${heard} —`.trim();
    this.#characters += content.length - entry.content.length;
    this.#entries[place] = { ...entry, content };
    this.#built.delete(entry);
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
  untranscribed(): readonly HeardClip[] {
    return this.#spoken
      .slice(0, -1)
      .flatMap(({ clips }) => clips)
      .filter(({ transcript }) => transcript === null);
  }

  build(): BuiltPrompt {
    const { olderAudio, audioTokensPerSecond, audioBudgetTokens, whole = false } = this.#options;
    const room = this.#roomForAudio();
    const sent = new Set<Entry>();
    let spent = 0;
    for (const entry of this.#spoken.toReversed()) {
      const tokens = entry.clips.reduce(
        (sum, { clip }) => sum + audioTokens(clip.durationMs, audioTokensPerSecond) + MARKS_PER_CLIP,
        0,
      );
      const isNewest = sent.size === 0;
      const fits = olderAudio === 'keep' && spent + tokens <= Math.min(room, audioBudgetTokens);
      if (!isNewest && !fits && !whole) break;
      sent.add(entry);
      spent += tokens;
    }
    return {
      messages: [
        this.#system,
        ...this.#entries.map((entry) => this.#built.get(entry) ?? this.#build(entry, sent.has(entry))),
      ],
      clips: this.#spoken.flatMap((entry) => (sent.has(entry) ? entry.clips.map(({ clip }) => clip) : [])),
      audioTokens: spent,
      tooLong: spent > room,
    };
  }

  #roomForAudio(): number {
    const { system, contextTokens, replyTokens } = this.#options;
    let characters = system.length + this.#characters;
    for (const { clips } of this.#spoken)
      for (const { transcript } of clips) characters += transcript?.length ?? 0;
    return contextTokens - replyTokens - Math.ceil(characters / CHARACTERS_PER_TOKEN);
  }

  #build(entry: Entry, withAudio: boolean): ChatMessage {
    const message = this.#messageOf(entry, withAudio);
    // Clips go and transcripts come.
    if (entry.kind !== 'customer' || entry.clips.length === 0) this.#built.set(entry, message);
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
        if (entry.verbatim !== undefined)
          return { role: 'assistant', content: entry.content, verbatim: entry.verbatim };
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

function customerContent({ parts, clips }: CustomerEntry, withAudio: boolean): string | readonly ChatPart[] {
  if (clips.length > 0 && withAudio)
    return parts.map(
      (part): ChatPart =>
        typeof part === 'string' ? { type: 'text', text: part } : { type: 'audio', audio: part.clip },
    );
  const words = parts.map((part) => (typeof part === 'string' ? part : (part.transcript ?? LEFT_OUT)));
  return words.length === 0 ? '[The customer says nothing.]' : words.join('\n');
}
