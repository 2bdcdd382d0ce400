import type { RecordEvent } from '../../episodes/index.js';
import type { Aside } from '../../protocol/index.js';
import type { WordTime } from '../../speech/index.js';
import { openTurns, TURN_TAKING_PRESETS, type TurnState } from '../../user/index.js';
import type { EventOf, HeardSaying } from '../session/state.js';
import type { AgentTalk } from './agent-talk.js';

export type DuplexPreset = keyof typeof TURN_TAKING_PRESETS;

/** How a message of the agent's stands on the call's clock. */
export interface Delivery {
  readonly talk: AgentTalk;
  readonly silentMs: number;
  readonly yieldMs: number;
  /** Set where its speech was heard while it came: from where on, and where the call stood when the message did. */
  readonly live?: { readonly startSample: number; readonly toldAt: number } | undefined;
}

/** The agent begins or ceases to be heard. */
export interface Edge {
  readonly at: number;
  readonly talks: boolean;
}

/** The message that is being heard. */
export interface Hearing {
  readonly said: HeardSaying;
  readonly talk: AgentTalk;
  readonly startSample: number;
  readonly yieldSamples: number;
  /** It is on the record: something of it has been heard, or never will be. */
  readonly begun: boolean;
}

/** The customer's own utterance, as it stands on the clock. */
export interface OwnUtterance {
  readonly utterance: number;
  readonly turn: number;
  /** False: a check-in beside the lines. */
  readonly isLine: boolean;
  readonly text: string;
  readonly startSample: number;
  readonly samples: number;
  /** On the call's clock, from the utterance's start. */
  readonly words?: readonly WordTime[] | undefined;
  /** Went to the agent. */
  readonly samplesSent: number;
}

interface NextLine {
  readonly cause: 'answer' | 'interruption' | 'check_in';
  readonly at: number;
  /** It comes before the agent has finished. */
  readonly breakIn: BreakIn | null;
}

export interface BreakIn {
  readonly event: Extract<RecordEvent, { type: 'customer_interrupted' }>;
  readonly after: Pick<Duplex, 'edges' | 'unanswered' | 'freeAt'>;
  /** Where the agent would have finished. */
  readonly agentEnd: number;
}

/** What turn-taking adds to a session's state. Positions are samples of the call's clock. */
export interface Duplex {
  readonly preset: DuplexPreset;
  readonly turns: TurnState;
  /** What is still to be heard of the agent, as far as it is known. */
  readonly edges: readonly Edge[];
  readonly hearing: Hearing | null;
  /** The last line or check-in. */
  readonly own: OwnUtterance | null;
  /** Where an agent that speaks at once would begin: both have fallen silent. */
  readonly freeAt: number;
  /** Told of by calls, and not yet by a message. */
  readonly silentMs: number;
  /** Where in the customer's utterance the agent says that it broke in; null: it did not. */
  readonly bargeAt: number | null;
  /** What the customer is about to say, and when. */
  readonly next: NextLine;
  /** Heard while the customer spoke, and not answered yet. */
  readonly unanswered: string;
  /** Of the customer's last line, where it was cut off; the customer is told with the next question. */
  readonly cutOff: string | null;
  /** What is being said beside the lines; then the call goes on. */
  readonly aside: Aside | null;
  /** Where the customer broke into speech whose message has not come. */
  readonly interjectedAt: number | null;
  /** Came while something was said beside the lines, and is taken after it. */
  readonly held: EventOf<'message'> | null;
}

export function openDuplex(
  preset: DuplexPreset,
  options: { readonly sampleRateHz: number; readonly seed: number },
): Duplex {
  return {
    ...{ preset, turns: openTurns(TURN_TAKING_PRESETS[preset], options), edges: [], hearing: null },
    ...{ own: null, freeAt: 0, silentMs: 0, bargeAt: null, next: { cause: 'answer', at: 0, breakIn: null } },
    ...{ unanswered: '', cutOff: null, aside: null, interjectedAt: null, held: null },
  };
}

export function msToSamples({ turns }: Duplex, ms: number): number {
  return Math.round((ms * turns.sampleRateHz) / 1_000);
}
