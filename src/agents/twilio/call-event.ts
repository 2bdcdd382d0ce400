import type { EventSocket } from '../client/event-socket.js';
import type { AgentUtterance } from './utterance-ear.js';

/** What can happen to a call. */
export type CallEvent =
  | { readonly type: 'sandbox'; readonly item: Awaited<ReturnType<EventSocket['next']>> }
  | { readonly type: 'utterance'; readonly utterance: AgentUtterance }
  /** The agent closed its socket in order. */
  | { readonly type: 'hang-up' }
  /** What was refused may be offered again. */
  | { readonly type: 'again' }
  /** The sandbox or the agent is lost, or does not follow its protocol. */
  | { readonly type: 'fault'; readonly error: Error };
