import type { TurnDecision, TurnState } from '../../../src/user/index.js';
import { agentPauses, agentTalks, customerSpeaks, customerStops, decide } from '../../../src/user/index.js';

export interface Spoken {
  readonly kind: string;
  readonly start: number;
  end: number;
}

export interface Call {
  readonly decisions: readonly TurnDecision[];
  readonly customer: readonly Spoken[];
  /** Where the agent is heard: it falls silent `yieldSamples` after the customer speaks over it. */
  readonly agent: readonly { readonly start: number; readonly end: number }[];
  readonly endedAt: number;
}

export interface AgentScript {
  /** Pause before each talk (from the end of whoever spoke last) and its length, in samples. */
  readonly talks: readonly { readonly gap: number; readonly length: number }[];
  /** Null: it never stops for the customer. */
  readonly yieldSamples: number | null;
  /** It does not wait for the customer's end: gaps count from the customer's first sample. */
  readonly barges?: boolean;
  /** It lets the customer answer before it talks again. */
  readonly waits?: boolean;
}

/** Plays a call: an agent by script, a customer by the rules, whose lines have the given lengths in turn. */
export function drive(first: TurnState, agent: AgentScript, lengths: readonly number[]): Call {
  const decisions: TurnDecision[] = [];
  const customer: Spoken[] = [];
  const heard: { start: number; end: number }[] = [];
  let lines = 0;
  const lengthOf = (kind: string): number =>
    kind === 'backchannel' ? 400 : (lengths[lines++ % lengths.length] ?? 1_000);
  let state = first;
  const say = (kind: 'answer' | 'interruption' | 'check_in' | 'backchannel', at: number): void => {
    const samples = lengthOf(kind);
    customer.push({ kind, start: at, end: at + samples });
    state = customerSpeaks(state, { kind, at, samples });
  };
  // The customer opens.
  say('answer', 0);
  let next = 0;
  let lastTalkEnd = 0;
  let talking = null as { start: number; end: number } | null;
  for (let steps = 0; steps < 100_000; steps += 1) {
    const script = agent.talks[next];
    const last = customer.findLast(({ kind }) => kind !== 'backchannel');
    const base = Math.max(agent.barges === true ? (last?.start ?? 0) : (last?.end ?? 0), state.now);
    const mustWait = agent.waits === true && (last?.start ?? 0) < lastTalkEnd;
    const edge: number =
      talking !== null
        ? talking.end
        : script === undefined || mustWait
          ? 10_000_000
          : Math.max(base, lastTalkEnd) + script.gap;
    const { state: at, decision } = decide(state, edge);
    state = at;
    if (decision === null) {
      if (talking !== null) {
        heard.push(talking);
        lastTalkEnd = talking.end;
        state = agentPauses(state, edge);
        talking = null;
      } else if (script !== undefined) {
        talking = { start: edge, end: edge + script.length };
        state = agentTalks(state, edge);
        next += 1;
      }
      continue;
    }
    decisions.push(decision);
    if (decision.type === 'hang_up') {
      if (talking !== null) heard.push({ ...talking, end: Math.min(talking.end, decision.at) });
      for (const said of customer) said.end = Math.min(said.end, decision.at);
      return { decisions, customer, agent: heard, endedAt: decision.at };
    }
    if (decision.type === 'yield') {
      const said = customer.at(-1);
      if (said !== undefined) said.end = decision.at;
      state = customerStops(state, decision.at);
    } else {
      const kind = decision.type === 'interrupt' ? 'interruption' : decision.type;
      say(kind, decision.at);
      if (kind === 'interruption' && talking !== null && agent.yieldSamples !== null)
        talking = { ...talking, end: Math.min(talking.end, decision.at + agent.yieldSamples) };
    }
  }
  throw new Error('the call does not end');
}
