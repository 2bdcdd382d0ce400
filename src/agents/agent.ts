import type { Dial, EndReason, Mode, TurnTaking } from '../protocol/index.js';
import type { Generation } from './openai-compatible/generation.js';

/** What an agent is told when it is sent into an episode. It learns everything else over the WebSocket. */
export interface AgentAssignment {
  /** ws://host:port/v1 */
  readonly url: string;
  /** Bearer token, when the sandbox asks for one. */
  readonly token?: string | undefined;
  /** Set: the sandbox is in this process and reached so; `url` is only a name. */
  readonly dial?: Dial | undefined;
  readonly task: string;
  readonly mode: Mode;
  readonly seed: number;
  readonly trial: number;
  /** How the customer takes turns in speech. Default: half-duplex. */
  readonly turnTaking?: TurnTaking | undefined;
}

/** A fault that a reference agent put in on purpose, for checking judges against a known truth. */
export interface InjectedFault {
  readonly kind: FaultKind;
  /** The agent's action, counted from 1 as the record counts them, with the first wrong commitment: in words or a call. */
  readonly turn: number;
  /** True when the wrong thing was already said to the customer before the call. */
  readonly announced: boolean;
  readonly detail: string;
}

export type FaultKind =
  | 'wrong_item'
  | 'wrong_payment'
  | 'no_confirmation'
  | 'forgotten_step'
  | 'needless_write'
  | 'invented_tool'
  | 'early_end'
  | 'wrong_answer';

export interface AgentReport {
  /** Null when the connection was lost before the agent could know. */
  readonly episode: string | null;
  /** Null when the connection was lost before the end. */
  readonly reason: EndReason | null;
  readonly faults: readonly InjectedFault[];
  /** Faults that were about to be put in, and were thought better of when a live judge broke in. */
  readonly mended?: readonly InjectedFault[] | undefined;
  /** What a model behind the agent said, reply by reply, for training. */
  readonly generations?: readonly Generation[] | undefined;
}

/** One agent that can play one episode over the sandbox's WebSocket, like a stranger's would. */
export interface Agent {
  readonly name: string;
  run(assignment: AgentAssignment, signal: AbortSignal): Promise<AgentReport>;
}
