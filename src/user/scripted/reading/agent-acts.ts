/** What a sentence of the agent's does. Several acts can share a sentence. */
export type AgentAct =
  | 'ask_email'
  | 'ask_name'
  | 'ask_zip'
  | 'ask_user_id'
  | 'ask_identity'
  | 'ask_order_id'
  | 'ask_items'
  | 'ask_options'
  | 'ask_payment'
  | 'ask_reason'
  | 'ask_address'
  | 'ask_confirmation'
  | 'ask_need'
  | 'ask_anything_else'
  | 'ask_other'
  | 'report_done'
  | 'refuse'
  | 'hand_over'
  | 'not_found'
  | 'hold_on'
  | 'greet'
  | 'state';

export interface ReadSentence {
  readonly text: string;
  readonly acts: ReadonlySet<AgentAct>;
}

/** An agent's message as the customer understands it. */
export interface AgentReading {
  readonly acts: ReadonlySet<AgentAct>;
  readonly sentences: readonly ReadSentence[];
  /** The whole message, folded, for looking up names and numbers. */
  readonly folded: string;
}
