import {
  type ChatClient,
  ChatError,
  type ChatReply,
  type ChatRequest,
  type ChatTool,
} from '../../models/index.js';
import { deriveSeed, type JsonObject } from '../../shared/index.js';
import type { AgentAssignment } from '../agent.js';
import { makeCalls } from '../client/make-calls.js';
import type { CustomerTurn, EpisodeClient, EpisodeEndEvent, Reasons } from '../episode-client.js';
import { MessageRefusedError } from '../errors.js';
import type { ChatAgentSettings } from './chat-agent.js';
import type { Conversation } from './conversation.js';
import { customerClip } from './customer-clip.js';
import type { Generation, GenerationLog } from './generation.js';
import { type ReadReply, readReply } from './read-reply.js';

/** Replies in a row of which nothing can be used before the agent gives up. */
const MAX_UNUSABLE = 3;
/** What one message may hold. */
const MAX_SPOKEN_CHARACTERS = 20_000;
const MAX_REASONING_CHARACTERS = 100_000;
const REWRITTEN =
  'the reply stands in the next prompts in other words: its calls could not be answered by their ids';
const TRANSCRIBE = 'Write down, word for word, what is said in this recording. Write nothing else.';

export interface EpisodeParts {
  readonly chat: ChatClient;
  readonly client: EpisodeClient;
  readonly conversation: Conversation;
  readonly log: GenerationLog;
  readonly settings: ChatAgentSettings;
  readonly assignment: AgentAssignment;
  readonly signal: AbortSignal;
}

/** One episode of a model: asks it, does what it says, tells it what came of it. */
export class ModelEpisode {
  readonly generations: Generation[] = [];
  readonly #parts: EpisodeParts;
  /** One list for all requests. */
  readonly #tools: readonly ChatTool[] | undefined;
  #asked = 0;
  #actions = 0;
  /** Since the model was last asked. */
  #interventions = 0;
  #end: EpisodeEndEvent | null = null;
  /** The history holds a call that servers may refuse to read back. */
  #hasUnreadable = false;

  constructor(parts: EpisodeParts) {
    this.#parts = parts;
    const { settings, client } = parts;
    this.#tools = settings.toolForm === 'text' ? undefined : settings.tools(client.ready);
  }

  /** Rejects with `ChatError` when the model's server fails, and with what the client rejects with. */
  async play(): Promise<EpisodeEndEvent> {
    const { client } = this.#parts;
    this.#hear(client.opening);
    let unusable = 0;
    while (this.#end === null) {
      const read = await this.#ask();
      if (read === null) return await client.stop({ reason: 'context_limit' });
      const before = this.#actions;
      this.#interventions = 0;
      const used = await this.#act(read);
      if (this.#interventions > 0 && this.#actions === before) this.#discardLast();
      unusable = used ? 0 : unusable + 1;
      if (unusable >= MAX_UNUSABLE)
        return await client.stop({
          reason: 'failed',
          detail: `nothing of ${MAX_UNUSABLE} replies in a row could be used`,
        });
    }
    return this.#end;
  }

  /** The server would not read back what the model wrote: that is the model's doing, not the server's. */
  isOwnFault(error: unknown): boolean {
    return this.#hasUnreadable && error instanceof ChatError && error.failure === 'refused';
  }

  /** A live judge let nothing of the reply through: the next one is for the same turn. */
  #discardLast(): void {
    const last = this.generations.pop();
    if (last !== undefined) this.generations.push({ ...last, discarded: true });
  }

  #hear({ text, audio, parts }: CustomerTurn): void {
    const inOrder = parts ?? [...(text === null ? [] : [{ text }]), ...(audio === null ? [] : [{ audio }])];
    this.#parts.conversation.customer(
      inOrder.map((part) => ('text' in part ? part.text : customerClip(part.audio))),
    );
  }

  /** Null: the conversation has become longer than the model's context. */
  async #ask(): Promise<ReadReply | null> {
    const { conversation, settings } = this.#parts;
    if (settings.olderAudio === 'transcribe') await this.#transcribe();
    const prompt = conversation.build();
    if (prompt.tooLong) return null;
    const reply = await this.#complete({
      messages: prompt.messages,
      tools: this.#tools,
      parallelToolCalls: settings.toolForm === 'text' ? undefined : settings.parallelCalls,
      ...{ temperature: settings.temperature, topP: settings.topP, maxTokens: settings.replyTokens },
      tokens: settings.tokens,
      verbatim: settings.verbatim ? true : undefined,
    });
    if (reply === null) return null;
    const read = readReply(reply, `call-${this.#asked}`);
    const discarded = read.calls.length === 0 && read.text === '';
    const verbatim = this.#verbatim(reply, read);
    const generation = this.#parts.log.take(reply, {
      ...{ turn: this.#actions + 1, clips: prompt.clips, discarded },
    });
    if (settings.verbatim && verbatim === undefined) generation.faults.push(REWRITTEN);
    this.generations.push(generation);
    // Text beside calls and a cut-off reply stay in the history, as the model wrote them.
    const said =
      read.calls.length === 0 && read.faults.length === 0 ? read.text : withoutThoughts(read, reply);
    // Servers refuse an empty message.
    const text = said === '' && read.calls.length === 0 ? '(nothing)' : said;
    conversation.assistant(text, read.calls, verbatim);
    return read;
  }

  /** The message as the server gave it, unless its calls could not be answered by their own ids. */
  #verbatim({ verbatim }: ChatReply, { calls }: ReadReply): JsonObject | undefined {
    if (verbatim === undefined) return undefined;
    const given = Array.isArray(verbatim.tool_calls) ? (verbatim.tool_calls as readonly JsonObject[]) : [];
    const isAnswerable =
      this.#parts.settings.toolForm === 'text' ||
      (given.length === calls.length && given.every(({ id }, place) => calls[place]?.id === id));
    if (!isAnswerable) return undefined;
    this.#hasUnreadable ||= calls.some(({ arguments: args }) => typeof args === 'string');
    return verbatim;
  }

  /** Null on overflow, which is the agent's own doing; other failures reject. */
  async #complete(request: ChatRequest): Promise<ChatReply | null> {
    const { chat, signal, settings, assignment } = this.#parts;
    this.#asked += 1;
    const { task, mode, trial, seed } = assignment;
    try {
      return await chat.complete(
        {
          ...request,
          seed: settings.sendSeed
            ? deriveSeed(settings.samplingSeed ?? seed, 'agent', this.#asked) >>> 1
            : undefined,
          scope: `${task}.${mode}.t${trial}.s${seed}`,
        },
        signal,
      );
    } catch (error) {
      if (error instanceof ChatError && error.failure === 'overflow') return null;
      throw error;
    }
  }

  async #transcribe(): Promise<void> {
    for (const entry of this.#parts.conversation.untranscribed()) {
      const reply = await this.#complete({
        messages: [
          {
            role: 'user',
            content: [
              { type: 'audio', audio: entry.clip },
              { type: 'text', text: TRANSCRIBE },
            ],
          },
        ],
        ...{ temperature: 0, maxTokens: 1024 },
      });
      entry.transcript = reply === null ? '' : readReply(reply, 'none').text;
    }
  }

  /** False when nothing of the reply could be used. */
  async #act({ text, calls, faults, reasoning }: ReadReply): Promise<boolean> {
    const { conversation, client } = this.#parts;
    const why = reasoning === null ? {} : { reasoning: reasoning.slice(0, MAX_REASONING_CHARACTERS) };
    const { contents, end, made, interventions } = await makeCalls(client, calls, why);
    this.#end = end;
    this.#actions += made;
    this.#interventions += interventions;
    // Every call gets its result, also those that an end or a refusal leaves undone.
    for (const [place, { id }] of calls.entries()) conversation.result(id, contents[place] ?? '');
    for (const fault of faults) conversation.note(`A tool call was not made: ${fault}.`);
    if (calls.length > 0) return true;
    if (faults.length > 0) return false;
    if (text === '') {
      conversation.note('Your reply was empty. Call a tool, or say something to the customer.');
      return false;
    }
    return await this.#say(text.slice(0, MAX_SPOKEN_CHARACTERS), why);
  }

  async #say(text: string, why: Reasons): Promise<boolean> {
    try {
      const step = await this.#parts.client.say(text, why);
      if (step.kind === 'intervention') {
        this.#interventions += 1;
        this.#parts.conversation.note(
          `Your last message did not reach the customer, for a judge looked at it first: ${step.message}`,
        );
        return true;
      }
      this.#actions += 1;
      if (step.kind === 'end') this.#end = step.end;
      else {
        const { brokeIn } = step.customer;
        if (brokeIn !== undefined) this.#parts.conversation.cutSaid(brokeIn.text);
        this.#hear(step.customer);
      }
      return true;
    } catch (error) {
      if (!(error instanceof MessageRefusedError)) throw error;
      this.#parts.conversation.note(`Your message was not taken: ${error.message}`);
      return false;
    }
  }
}

/** What the model wrote beside its calls, readable or not; an empty message would be refused by servers. */
function withoutThoughts(read: ReadReply, reply: ChatReply): string {
  if (read.calls.length > 0) return (reply.toolCalls ?? []).length > 0 ? reply.content : '';
  return reply.content === '' ? '(an unreadable tool call)' : reply.content;
}
