import type { AudioRef, RecordEvent } from '../../episodes/index.js';
import type { Aside, EndReason, ErrorCode, Pacing, ServerEvent } from '../../protocol/index.js';
import type { Outcome } from '../../retail/index.js';
import type { GrowingLine, SpokenLine, WordTime } from '../../speech/index.js';
import type { CustomerLine } from '../../user/index.js';
import type { Delivery, Duplex } from '../duplex/duplex.js';
import type { ProposedAction } from './live-judge.js';
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
  readonly pacing: Pacing;
  readonly floor: Floor;
  /** Agent actions so far. */
  readonly turn: number;
  /** The turn whose feedback the client has seen last: what the fence of its messages is compared with. */
  readonly openTurn: number;
  /** Utterances of the customer so far. */
  readonly utterances: number;
  /** Sound of the last utterance as it was sent; null: text, or not sent yet. */
  readonly sound: SentSound | null;
  /** The last utterance was broken off. */
  readonly interruption: { readonly heardSamples: number | null } | null;
  readonly errors: number;
  /** Every call of the episode by its id, with its one end. */
  readonly calls: ReadonlyMap<string, KnownCall>;
  readonly running: MadeCall | null;
  /** Calls of the same message that wait for the running one. */
  readonly queue: readonly MadeCall[];
  /** With turn-taking and `realtime` pacing: where the call's clock stands; else null, and it is worked out. */
  readonly callNow: number | null;
  /** Set where the customer takes turns on the call's clock. */
  readonly duplex: Duplex | null;
  /** Set where a live judge looks on. */
  readonly review: Review | null;
  /** The customer's line that is being sent while the voice still makes it. */
  readonly voicing: Voicing | null;
  readonly transferred: boolean;
  /** Decided, but something that is under way is finished first. */
  readonly pendingEnd: EndReason | null;
  readonly end: EndReason | null;
}

/** Where the live judge stands. */
export interface Review {
  /** Actions that had been taken when it last looked: `interventions` counts since then. */
  readonly turn: number;
  readonly interventions: number;
  /** The message that it looks at; null: the first call of the queue, or nothing. */
  readonly said: HeardSaying | null;
}

/** The customer's line, and its sound in speech mode. */
interface ComposedLine {
  readonly line: CustomerLine;
  readonly spoken: SpokenLine | null;
  /** In place of `spoken`, while the voice is not done with it. */
  readonly growing?: GrowingLine | undefined;
}

/** What the record says of a line is known when it is whole, and whatever happens meanwhile stands after it. */
export interface Voicing {
  readonly line: CustomerLine;
  readonly utterance: number;
  readonly turn: number;
  readonly held: readonly SessionEffect[];
}

/** Counted at the rate at which it was sent. */
export interface SentSound {
  readonly samples: number;
  readonly sampleRateHz: number;
  /** Of the utterance, if it had been sent whole; without the silence after it. */
  readonly wholeSamples?: number | undefined;
}

/** A call as the agent wished it. */
export interface AgentCall {
  readonly callId: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What came, where it was no plain object of arguments. */
  readonly rawArguments?: string | Readonly<Record<string, unknown>> | undefined;
  /** Why the arguments cannot be understood: the tool is not asked, the agent reads this. */
  readonly fault?: string | undefined;
}

export interface MadeCall extends AgentCall {
  /** False: the answer goes to who called `callTool`, not over the transport. */
  readonly wire: boolean;
  /** Came with others in one message. */
  readonly batched: boolean;
  /** Turn of the first call of that message; null until it is made. */
  readonly batch: number | null;
  readonly reasoning: string | null;
}

export interface CallAnswer {
  readonly status: 'result' | 'error' | 'cancelled';
  readonly ok: boolean;
  readonly content: string;
}

interface KnownCall {
  /** Name and arguments: a repeated id is the same call only when these are. */
  readonly key: string;
  readonly turn: number;
  /** Null while it runs. */
  readonly answer: CallAnswer | null;
}

/** The agent's own voice, uploaded before the message that refers to it. */
export interface AgentSpeech {
  readonly samples: Int16Array;
  readonly sampleRateHz: number;
  /** What the agent says that it said. */
  readonly transcript: string | null;
  /** When each word is heard; absent: the agent does not say. */
  readonly words?: readonly WordTime[];
}

export interface Said {
  /** Null: has to be made from the speech. */
  readonly text: string | null;
  readonly speech: AgentSpeech | null;
  readonly reasoning: string | null;
  /** With turn-taking: silence before it, and how long the agent talks on when it is broken into. */
  readonly silentMs?: number | undefined;
  readonly yieldMs?: number | undefined;
  /** Where its speech has been heard from on, while it came. */
  readonly heardFrom?: number | undefined;
  /** Where the call stood when the message came. */
  readonly toldAt?: number | undefined;
}

/** The turn that a message answers, when the client says so. */
interface Fence {
  readonly turn?: number | undefined;
}

/** What happens to a session. */
export type SessionEvent =
  | { readonly type: 'begin' }
  | ({ readonly type: 'line'; readonly generation: number } & ComposedLine)
  /** What the customer says beside its lines, with its sound. */
  | {
      readonly type: 'aside';
      readonly generation: number;
      readonly kind: Aside;
      readonly at: number;
      readonly text: string;
      readonly spoken: SpokenLine;
    }
  /** The line whose sound was sent while it was made is whole, or cannot become so. */
  | { readonly type: 'voiced'; readonly spoken: SpokenLine }
  | { readonly type: 'voice_failed'; readonly detail: string }
  | { readonly type: 'delivered'; readonly generation: number; readonly sound: SentSound | null }
  | ({ readonly type: 'message' } & Said & Fence)
  /** A message with speech is kept, and transcribed where it had no text. */
  | { readonly type: 'heard'; readonly generation: number; readonly said: HeardSaying }
  | ({
      readonly type: 'calls';
      readonly calls: readonly AgentCall[];
      readonly batched: boolean;
      readonly wire: boolean;
      readonly reasoning?: string | undefined;
      readonly silentMs?: number | undefined;
    } & Fence)
  | {
      readonly type: 'result';
      readonly generation: number;
      readonly ok: boolean;
      readonly content: string;
      readonly transferred: boolean;
    }
  | {
      readonly type: 'interrupt';
      readonly utterance: number;
      readonly heardSamples?: number | undefined;
    }
  | ({
      readonly type: 'stop';
      readonly reason: 'done' | 'context_limit' | 'failed' | 'unavailable';
      readonly detail?: string | undefined;
    } & Fence)
  /** A frame that is no message, or one that cannot be taken now. */
  | { readonly type: 'refused'; readonly code: ErrorCode; readonly message: string }
  | { readonly type: 'timeout'; readonly generation: number }
  /** Time has passed on the agent's turn. */
  | { readonly type: 'silence'; readonly generation: number }
  /** The agent begins or ceases to be heard, in an upload without its message; `lost`: nothing more comes of it. */
  | { readonly type: 'voice'; readonly at: number; readonly talks: boolean; readonly lost?: true }
  /** Null: the live judge has nothing against it. */
  | { readonly type: 'reviewed'; readonly generation: number; readonly objection: string | null }
  | {
      readonly type: 'failed';
      readonly generation: number;
      readonly reason: 'customer_failed' | 'platform_failed';
      readonly detail: string;
    }
  | { readonly type: 'disconnected' }
  | { readonly type: 'shutdown' }
  | { readonly type: 'verified'; readonly outcome: Outcome | null };

export type EventOf<T extends SessionEvent['type']> = Extract<SessionEvent, { type: T }>;

/** A saying whose text is known, with the reference to its sound. */
export interface HeardSaying {
  readonly text: string;
  readonly reasoning: string | null;
  readonly audio: AudioRef | null;
  readonly transcript: string | null;
  readonly words?: readonly WordTime[] | undefined;
  /** With turn-taking: when it is heard. */
  readonly delivery?: Delivery | undefined;
}

/** A server event before it is numbered. */
export type OutgoingEvent = ServerEvent extends infer Event
  ? Event extends ServerEvent
    ? Omit<Event, 'seq'>
    : never
  : never;

/** With turn-taking. */
export interface AskOptions {
  /** Nobody is asked: the customer says one of these. */
  readonly phrase?: 'check_in' | undefined;
  /** Where the customer's line begins on the call's clock. */
  readonly at?: number | undefined;
  /** Of its line before this one only so much was said. */
  readonly cutOff?: string | undefined;
}

/** What is to be done about it. */
export type SessionEffect =
  | { readonly type: 'record'; readonly event: RecordEvent }
  | { readonly type: 'send'; readonly event: OutgoingEvent }
  /** Ask the customer: for its opening when `agentText` is null. */
  | ({ readonly type: 'ask'; readonly generation: number; readonly agentText: string | null } & AskOptions)
  /** Say something beside the line. */
  | { readonly type: 'aside'; readonly generation: number; readonly kind: Aside; readonly at: number }
  | ({
      readonly type: 'deliver';
      readonly generation: number;
      readonly turn: number;
      readonly utterance: number;
      readonly aside?: Aside | undefined;
      /** Where it begins on the call's clock. */
      readonly callSample?: number | undefined;
      /** Only so much of it, at the granted rate; absent: all. */
      readonly samples?: number | undefined;
    } & ComposedLine)
  /** Stop sending the utterance, at once or after so long. */
  | { readonly type: 'hush'; readonly afterMs?: number | undefined }
  /** With turn-taking: see after so long what the customer does; in place of the one before. */
  | { readonly type: 'silence'; readonly generation: number; readonly delayMs: number }
  /** Keep the agent's speech, and make text of it where there is none. */
  | { readonly type: 'listen'; readonly generation: number; readonly said: Said }
  | { readonly type: 'review'; readonly generation: number; readonly proposed: ProposedAction }
  | { readonly type: 'call'; readonly generation: number; readonly call: MadeCall }
  | {
      readonly type: 'answer';
      readonly callId: string;
      readonly turn: number;
      readonly wire: boolean;
      readonly answer: CallAnswer;
      readonly repeated: boolean;
    }
  /** Replaces the timer before it; null only cancels it. */
  | { readonly type: 'timer'; readonly generation: number; readonly delayMs: number | null }
  | { readonly type: 'verify'; readonly endedInOrder: boolean }
  /** Close the record, then send the last event. */
  | { readonly type: 'finish'; readonly event: OutgoingEvent };

export type EffectOf<T extends SessionEffect['type']> = Extract<SessionEffect, { type: T }>;

export interface Transition {
  readonly state: SessionState;
  readonly effects: readonly SessionEffect[];
  /** The message was not taken. */
  readonly refused?: true;
}
