import type { RecordEvent } from '../../episodes/index.js';
import type { EndReason, ErrorCode, ServerEvent } from '../../protocol/index.js';
import type { Outcome } from '../../retail/index.js';
import type { SpokenLine } from '../../speech/index.js';
import type { CustomerLine } from '../../user/index.js';
import type { Floor } from './turn-sequencer.js';

/** How long an episode may go on. Counts are cumulative over the episode; times run on the injected clock. */
export interface SessionLimits {
  /** Agent actions (messages and tool calls). The feedback to the last one is still given. */
  readonly maxTurns: number;
  /** Refused messages and failed tool calls together; the one that reaches the number ends the episode. */
  readonly maxErrors: number;
  /** For one action of the agent, and for reading one utterance. */
  readonly agentTimeoutMs: number;
  /** For the one closing message that an agent may say after a successful transfer. */
  readonly transferGraceMs: number;
  /** For the customer's line (with its speech) and for a tool's result. */
  readonly feedbackTimeoutMs: number;
}

export interface SessionState {
  readonly episode: string;
  readonly limits: SessionLimits;
  readonly floor: Floor;
  /** Agent actions so far. */
  readonly turn: number;
  /** Utterances of the customer so far. */
  readonly utterances: number;
  readonly errors: number;
  readonly callIds: ReadonlySet<string>;
  readonly transferred: boolean;
  /** Decided, but something that is under way is finished first. */
  readonly pendingEnd: EndReason | null;
  readonly end: EndReason | null;
}

/** The customer's line, and its sound in speech mode. */
interface ComposedLine {
  readonly line: CustomerLine;
  readonly spoken: SpokenLine | null;
}

interface AgentCall {
  readonly callId: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What happens to a session. */
export type SessionEvent =
  | { readonly type: 'begin' }
  | ({ readonly type: 'line'; readonly generation: number } & ComposedLine)
  | { readonly type: 'delivered'; readonly generation: number }
  | { readonly type: 'message'; readonly text: string; readonly reasoning?: string | undefined }
  | ({ readonly type: 'call'; readonly reasoning?: string | undefined } & AgentCall)
  | {
      readonly type: 'result';
      readonly generation: number;
      readonly callId: string;
      readonly ok: boolean;
      readonly content: string;
      readonly transferred: boolean;
    }
  | { readonly type: 'stop' }
  /** A frame that is no message, or one that cannot be taken now. */
  | { readonly type: 'refused'; readonly code: ErrorCode; readonly message: string }
  | { readonly type: 'timeout'; readonly generation: number }
  | {
      readonly type: 'failed';
      readonly generation: number;
      readonly reason: 'customer_failed' | 'platform_failed';
      readonly detail: string;
    }
  | { readonly type: 'disconnected' }
  | { readonly type: 'shutdown' }
  | { readonly type: 'verified'; readonly outcome: Outcome | null };

/** A server event before the connection numbers it. */
export type OutgoingEvent = ServerEvent extends infer Event
  ? Event extends ServerEvent
    ? Omit<Event, 'seq'>
    : never
  : never;

/** What is to be done about it. */
export type SessionEffect =
  | { readonly type: 'record'; readonly event: RecordEvent }
  | { readonly type: 'send'; readonly event: OutgoingEvent }
  /** Ask the customer: for its opening when `agentText` is null. */
  | { readonly type: 'ask'; readonly generation: number; readonly agentText: string | null }
  | ({
      readonly type: 'deliver';
      readonly generation: number;
      readonly turn: number;
      readonly utterance: number;
    } & ComposedLine)
  | ({ readonly type: 'call'; readonly generation: number } & AgentCall)
  /** Replaces the timer before it; null only cancels it. */
  | { readonly type: 'timer'; readonly generation: number; readonly delayMs: number | null }
  | { readonly type: 'verify'; readonly endedInOrder: boolean }
  /** Close the record, then send the last event. */
  | { readonly type: 'finish'; readonly event: OutgoingEvent };

export interface Transition {
  readonly state: SessionState;
  readonly effects: readonly SessionEffect[];
}
