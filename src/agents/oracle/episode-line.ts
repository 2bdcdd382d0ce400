import type { ToolCall } from '../../retail/index.js';
import type { AgentVoice } from '../client/voice.js';
import type { EpisodeClient, EpisodeEndEvent } from '../episode-client.js';
import { isWrite } from './knowledge.js';
import { SeenWorld } from './seen-world.js';

interface CallResult {
  readonly ok: boolean;
  readonly content: string;
}

/** Says a text in the agent's own voice. */
export type VoiceOf = (text: string) => Promise<AgentVoice>;

/** The customer may go on breaking in; then what was heard has to do. */
const MOST_REPEATS = 3;

/** The sandbox's default limit; the oracle leaves out courtesy reads rather than run into it. */
const TURN_BUDGET = 30;

function keyOf({ name, arguments: args }: ToolCall): string {
  return JSON.stringify([name, args]);
}

/**
 * The line to one episode: counts the agent's actions as the record does, remembers what was read, and goes quiet once
 * the episode has ended, so that a script can run on without asking after each step.
 */
export class EpisodeLine {
  readonly seen = new SeenWorld();
  readonly #client: EpisodeClient;
  readonly #made = new Set<string>();
  #actions = 0;
  #end: EpisodeEndEvent | null = null;

  readonly #voiceOf: VoiceOf | null;

  constructor(client: EpisodeClient, voiceOf: VoiceOf | null = null) {
    this.#client = client;
    this.#voiceOf = voiceOf;
  }

  get end(): EpisodeEndEvent | null {
    return this.#end;
  }

  get episode(): string {
    return this.#client.ready.episode;
  }

  /** The number, counted from 1, that the next action will have. */
  get nextTurn(): number {
    return this.#actions + 1;
  }

  get actionsLeft(): number {
    return TURN_BUDGET - this.#actions;
  }

  /** Says it, however often a live judge breaks in. */
  async say(text: string): Promise<void> {
    for (let said = false; !said; said = await this.trySay(text));
  }

  /** Makes the call, however often a live judge breaks in. */
  async call(call: ToolCall): Promise<CallResult> {
    for (;;) {
      const result = await this.tryCall(call);
      if (result !== null) return result;
    }
  }

  /**
   * False: a live judge broke in, and nothing was said. A customer that breaks in is let speak; then all is said again, so
   * that nothing is decided on half of it.
   */
  async trySay(text: string): Promise<boolean> {
    const voice = this.#end === null ? await this.#voiceOf?.(text) : undefined;
    for (let repeats = 0; this.#end === null; repeats += 1) {
      const step = await this.#client.say({ text, voice });
      if (step.kind === 'intervention') return false;
      this.#actions += 1;
      if (step.kind === 'end') this.#end = step.end;
      else if (step.customer.brokeIn === undefined || repeats >= MOST_REPEATS) return true;
    }
    return true;
  }

  /** Null: a live judge broke in, and the call was not made. */
  async tryCall(call: ToolCall): Promise<CallResult | null> {
    const nothing = { ok: false, content: 'Error: the episode is over' };
    if (this.#end !== null) return nothing;
    const step = await this.#client.call(call.name, call.arguments);
    if (step.kind === 'intervention') return null;
    this.#actions += 1;
    if (step.kind === 'end') {
      this.#end = step.end;
      return nothing;
    }
    if (!isWrite(call)) this.#made.add(keyOf(call));
    if (step.ok) this.seen.learn(call.name, call.arguments, step.content);
    return step;
  }

  /** A look-up, unless it was made already. */
  async read(name: string, args: ToolCall['arguments']): Promise<void> {
    const call = { name, arguments: args };
    if (!this.#made.has(keyOf(call))) await this.call(call);
  }

  async hangUp(): Promise<void> {
    if (this.#end !== null) return;
    this.#actions += 1;
    this.#end = await this.#client.stop();
  }
}
