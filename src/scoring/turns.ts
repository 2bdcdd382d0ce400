import type { CustomerEvent, EpisodeRecord, OutcomeEvent } from '../episodes/index.js';
import type { ToolCall } from '../retail/index.js';

interface TurnBase {
  /** The record's turn number: 1 for the agent's first action. */
  readonly turn: number;
  /** What the agent thought, or wrote beside a call; the customer never heard it. */
  readonly reasoning: string | null;
  /** What the customer said next, before the agent acted again. */
  readonly customer: CustomerEvent | null;
}

/** The agent spoke to the customer. */
export interface MessageTurn extends TurnBase {
  readonly kind: 'message';
  readonly text: string;
}

/** The agent called a tool. */
export interface CallTurn extends TurnBase {
  readonly kind: 'call';
  readonly call: ToolCall;
  /** Null: the record was cut short before a result came. */
  readonly ok: boolean | null;
  /** The text that the agent read. */
  readonly content: string | null;
}

export type EpisodeTurn = MessageTurn | CallTurn;

interface OpenTurn {
  turn: EpisodeTurn;
  callId: string | null;
}

/**
 * The turns of an episode, in order: one per agent action (a message or a tool call) with the feedback that follows.
 * The customer's opening is context, not a turn (see `openingOf`); messages that the sandbox could not take are not
 * actions, so they are no turns either. A result finds its call by the call's id; ids may be used again once answered.
 */
export function turnsOf(record: EpisodeRecord): EpisodeTurn[] {
  const turns: OpenTurn[] = [];
  const waiting = new Map<string, OpenTurn>();
  for (const event of record.events) {
    if (event.type === 'agent') {
      const { turn, reasoning, text } = event;
      turns.push({ turn: { turn, kind: 'message', text, reasoning, customer: null }, callId: null });
    } else if (event.type === 'tool_call') {
      const { turn, reasoning, name, callId } = event;
      const call = { name, arguments: event.arguments };
      const open: OpenTurn = {
        turn: { turn, kind: 'call', call, ok: null, content: null, reasoning, customer: null },
        callId,
      };
      turns.push(open);
      waiting.set(callId, open);
    } else if (event.type === 'tool_result') {
      const open = waiting.get(event.callId);
      if (open?.turn.kind !== 'call') continue;
      open.turn = { ...open.turn, ok: event.ok, content: event.content };
      waiting.delete(event.callId);
    } else if (event.type === 'customer') {
      const last = turns.at(-1);
      if (last !== undefined) last.turn = { ...last.turn, customer: event };
    }
  }
  return turns.map(({ turn }) => turn);
}

/** What the customer opened with; null in a record that was cut short before. */
export function openingOf(record: EpisodeRecord): CustomerEvent | null {
  for (const event of record.events) {
    if (event.type === 'customer') return event;
    if (event.type === 'agent' || event.type === 'tool_call') return null;
  }
  return null;
}

/** The outcome as R in {0, 1}; null where the record was cut short. */
export function successOf(outcome: OutcomeEvent | null): 0 | 1 | null {
  return outcome === null ? null : outcome.success ? 1 : 0;
}
