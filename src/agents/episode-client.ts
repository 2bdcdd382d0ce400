import type { ServerEvent } from '../protocol/index.js';

/** One utterance of the customer as the agent got it: text, audio, or (interleaved) both. */
export interface CustomerTurn {
  /** Null when nothing came as text. */
  readonly text: string | null;
  readonly audio: { readonly samples: Int16Array; readonly sampleRateHz: number } | null;
}

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

/** Recorded, never shown to the customer. */
export interface Reasons {
  readonly reasoning?: string | undefined;
}
/** Default: done. `unavailable`: what the agent needs, e.g. its model's server, is down; the episode will be run again. */
export interface StopReason {
  readonly reason: 'done' | 'context_limit' | 'failed' | 'unavailable';
  readonly detail?: string | undefined;
}

/**
 * One episode seen from the agent's side. Rejects with `ConnectionLostError` when the socket goes and with
 * `MessageRefusedError` when the sandbox does not take a message; after a refusal the agent may send another one.
 * One request at a time. Once the episode has ended every request answers with that end.
 */
export interface EpisodeClient {
  readonly ready: EpisodeReadyEvent;
  readonly opening: CustomerTurn;
  say(text: string, why?: Reasons): Promise<SayStep>;
  /** @param args an object, or text that should hold one: what cannot be read comes back as an error for the model */
  call(name: string, args: Readonly<Record<string, unknown>> | string, why?: Reasons): Promise<CallStep>;
  /** Hangs up: the agent ends the episode. */
  stop(why?: StopReason): Promise<EpisodeEndEvent>;
  /** Closes the socket; safe twice. */
  close(): void;
}
