import type { Aside, ServerEvent } from '../protocol/index.js';
import type { AgentVoice } from './client/voice.js';

export interface CustomerSound {
  readonly samples: Int16Array;
  readonly sampleRateHz: number;
}
/** A stretch of an utterance in one form. */
export type CustomerPart = { readonly text: string } | { readonly audio: CustomerSound };

/** One utterance of the customer as the agent got it: text, audio, or (interleaved) both. */
export interface CustomerTurn {
  /** All text together; null when nothing came as text. */
  readonly text: string | null;
  /** All audio together. */
  readonly audio: CustomerSound | null;
  /** The same in the order in which it came. Absent: at most one form came. */
  readonly parts?: readonly CustomerPart[] | undefined;
  /** The agent broke in: the rest was not sent. */
  readonly interrupted?: boolean | undefined;
  /** With turn-taking: the customer broke in, and of what the agent was saying only this was heard. */
  readonly brokeIn?: HeardOfAgent | undefined;
  /** With turn-taking: what the customer said before it beside its lines, in order. */
  readonly asides?: readonly CustomerAside[] | undefined;
}

export interface HeardOfAgent {
  readonly text: string;
  readonly ms: number;
}

export interface CustomerAside {
  readonly kind: Aside;
  readonly audio: CustomerTurn['audio'];
}

/** What the customer says, as it comes. */
export type CustomerPiece =
  | {
      readonly kind: 'start';
      readonly utterance: number;
      readonly turn: number;
      readonly aside?: Aside | undefined;
    }
  | { readonly kind: 'text'; readonly utterance: number; readonly text: string }
  | {
      readonly kind: 'audio';
      readonly utterance: number;
      /** PCM16, shape [n], whatever format it travelled in. */
      readonly samples: Int16Array;
      readonly sampleRateHz: number;
    };
export type CustomerListener = (piece: CustomerPiece) => void;

export type HelloEvent = Extract<ServerEvent, { type: 'hello' }>;
export type EpisodeEndEvent = Extract<ServerEvent, { type: 'episode.end' }>;
export type EpisodeReadyEvent = Extract<ServerEvent, { type: 'episode.ready' }>;

/** A judge broke in: nothing was said or done. The message is for the model; the agent may act again, as it was going to or otherwise. */
export interface InterventionStep {
  readonly kind: 'intervention';
  /** In this turn; after the second the agent has its way. */
  readonly count: number;
  readonly message: string;
  /** Nobody spoke. */
  readonly customer?: undefined;
}

export type SayStep =
  | InterventionStep
  | { readonly kind: 'customer'; readonly customer: CustomerTurn }
  /** `customer`: what the customer said while hanging up, if anything. */
  | { readonly kind: 'end'; readonly end: EpisodeEndEvent; readonly customer?: CustomerTurn | undefined };
export type CallStep =
  | InterventionStep
  | { readonly kind: 'result'; readonly ok: boolean; readonly content: string }
  | { readonly kind: 'end'; readonly end: EpisodeEndEvent };

/** A tool call as the agent wants it. `arguments`: an object, or text that should hold one. */
export interface WantedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>> | string;
}
export interface CallResult {
  /** `error`: the tool refused. `cancelled`: it was not called, because the episode ended or the customer was handed over. */
  readonly status: 'result' | 'error' | 'cancelled';
  readonly ok: boolean;
  /** What the model should read. */
  readonly content: string;
}
export interface CallsStep {
  /** In the order of the calls; shorter when the episode ended before they were taken. */
  readonly results: readonly CallResult[];
  /** Null while the episode goes on. */
  readonly end: EpisodeEndEvent | null;
  /** Set: a judge broke in; the calls behind `results` were not made. */
  readonly intervention: InterventionStep | null;
}

/** What the agent says: words, its own voice, or both. Without words the sandbox transcribes the voice, if it can. */
export interface Saying {
  readonly text?: string | undefined;
  readonly voice?: AgentVoice | undefined;
  /** With turn-taking: how long the agent was silent before it. */
  readonly silentMs?: number | undefined;
  /** With turn-taking: how long it talks on when the customer breaks in. */
  readonly yieldMs?: number | undefined;
}

/** Recorded, never shown to the customer. */
export interface Reasons {
  readonly reasoning?: string | undefined;
}
/** Default: done. `unavailable`: what the agent needs, e.g. its model's server, is down; a run plays its own agents' episodes again. */
export interface StopReason {
  readonly reason: 'done' | 'context_limit' | 'failed' | 'unavailable';
  readonly detail?: string | undefined;
}

/**
 * One episode seen from the agent's side. Rejects with `ConnectionLostError` when the line to the sandbox is gone for good and
 * with `MessageRefusedError` when the sandbox does not take a message; after a refusal the agent may send another one.
 * One request at a time. Once the episode has ended every request answers with that end.
 *
 * `for await (const customer of episode)` gives what waits for an answer: the opening, then what the customer said to the agent's
 * last words (the same again when a judge broke in), until the episode is over. It sends nothing; who asks for more without having
 * said anything gets a `UsageError` with code `nothing-said`. Leaving the loop leaves the episode as it is.
 */
export interface EpisodeClient extends AsyncIterable<CustomerTurn> {
  /** The server's capabilities, formats and limits. */
  readonly hello: HelloEvent;
  /** The policy and the tools, and what was granted. */
  readonly ready: EpisodeReadyEvent;
  readonly opening: CustomerTurn;
  /** Null while it goes on, as far as this side has seen. */
  readonly end: EpisodeEndEvent | null;
  /** Answers with what the customer says to it, when it has said all of it. */
  say(said: string | Saying, why?: Reasons): Promise<SayStep>;
  /** @param args an object, or text that should hold one: what cannot be read comes back as an error for the model */
  call(name: string, args: WantedCall['arguments'], why?: Reasons): Promise<CallStep>;
  /** Several calls in one message, at most `hello.limits.maxCallsPerMessage`: made one after the other, each a turn. */
  callAll(calls: readonly WantedCall[], why?: Reasons): Promise<CallsStep>;
  /**
   * Breaks in while the customer speaks (`onCustomer` tells); the pending `say` then answers with what was sent. After an
   * utterance that was sent whole it is only recorded how much of it was heard.
   * @param heardSamples of this utterance, at the granted rate: what was played before the agent broke in
   */
  interrupt(heardSamples?: number): void;
  /** Hangs up: the agent ends the episode. */
  stop(why?: StopReason): Promise<EpisodeEndEvent>;
  /** Closes the socket; safe twice. */
  close(): void;
}
