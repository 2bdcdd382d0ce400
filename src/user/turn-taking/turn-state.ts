import type { TurnRules } from './turn-rules.js';

/** What the customer decides to do, at a sample of the call's clock. */
export type TurnDecision =
  /** The agent has finished. */
  | { readonly type: 'answer'; readonly at: number }
  /** Speaks while the agent talks. */
  | { readonly type: 'interrupt'; readonly at: number }
  | { readonly type: 'backchannel'; readonly at: number }
  /** Asks whether anybody is there. */
  | { readonly type: 'check_in'; readonly at: number }
  /** Stops in the middle of its utterance. */
  | { readonly type: 'yield'; readonly at: number; readonly because: 'interrupted' | 'interrupting' }
  | { readonly type: 'hang_up'; readonly at: number; readonly why: HangUpReason };

export type HangUpReason = 'silence' | 'talked_over' | 'monologue' | 'too_long';

/**
 * What the customer says, by what made it speak. An interjection breaks in and is followed by an interruption, which says
 * what it was about.
 */
export type UtteranceKind = 'answer' | 'interruption' | 'interjection' | 'check_in' | 'backchannel';

/** All the customer knows of who speaks when. Positions are samples of the call's clock. */
export interface TurnState {
  readonly rules: TurnRules;
  readonly sampleRateHz: number;
  readonly seed: number;
  /** Nothing before it can be decided any more. */
  readonly now: number;
  /** The agent's talk, pauses included; null: it is silent. */
  readonly talk: {
    readonly start: number;
    /** Since when it has paused; null: it is heard. */
    readonly pausedAt: number | null;
    /** The next time at which the customer thinks about breaking in. */
    readonly nextCheck: number;
    readonly checks: number;
    readonly nextBackchannel: number | null;
    readonly backchannels: number;
  } | null;
  /** Talks of the agent's so far. */
  readonly talks: number;
  /** End of the agent's last talk. */
  readonly agentEnd: number;
  readonly own: {
    readonly kind: UtteranceKind;
    readonly start: number;
    readonly end: number;
  } | null;
  readonly ownEnd: number;
  /** The agent began to talk after the customer last did: there is something to answer. */
  readonly owesAnswer: boolean;
  /** In this silence. */
  readonly checkIns: number;
  readonly interruptions: number;
  readonly lastWasInterruption: boolean;
  /** Utterances in a row that the agent talked down. */
  readonly cutInRow: number;
}

/** The call begins: nobody has said anything. */
export function openTurns(
  rules: TurnRules,
  options: { readonly sampleRateHz: number; readonly seed: number },
): TurnState {
  return {
    ...{ rules, ...options, now: 0, talk: null, talks: 0, agentEnd: 0, own: null, ownEnd: 0 },
    ...{ owesAnswer: false, checkIns: 0, interruptions: 0, lastWasInterruption: false, cutInRow: 0 },
  };
}

export function toSamples(state: Pick<TurnState, 'sampleRateHz'>, ms: number): number {
  return Math.round((ms * state.sampleRateHz) / 1_000);
}
