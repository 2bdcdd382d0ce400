import type { WordTime } from '../../speech/index.js';
import { agentPauses, agentTalks, customerSpeaks, decide, type UtteranceKind } from '../../user/index.js';
import type { SessionEffect, SessionState } from '../session/state.js';
import type { Duplex } from './duplex.js';
import { yieldTo } from './hear-agent.js';

type Playing = SessionState & { readonly duplex: Duplex };

/**
 * The customer's next line is known. Where it breaks in the agent is told what was heard. Nobody breaks in to say
 * goodbye: such a line waits until the agent has finished.
 */
export function settleLine(
  state: Playing,
  isGoodbye: boolean,
): { readonly state: Playing; readonly effects: readonly SessionEffect[] } {
  const { duplex } = state;
  const { breakIn } = duplex.next;
  if (breakIn === null) return { state, effects: [] };
  const { rules, sampleRateHz } = duplex.turns;
  if (isGoodbye) {
    const at = breakIn.agentEnd + Math.round((rules.waitForOtherMs * sampleRateHz) / 1_000);
    const next = { cause: 'answer', at, breakIn: null } as const;
    return { state: { ...state, duplex: { ...duplex, next, edges: [] } }, effects: [] };
  }
  const { event, after } = breakIn;
  const { turn, atSample: callSample, heardSamples, heardText } = event;
  const heardMs = (heardSamples * 1_000) / sampleRateHz;
  return {
    state: { ...state, duplex: { ...duplex, ...after } },
    effects: [
      { type: 'record', event },
      {
        type: 'send',
        event: { type: 'agent.interrupted', turn, callSample, heardSamples, heardMs, heardText },
      },
    ],
  };
}

interface Spoken {
  readonly kind: UtteranceKind;
  readonly utterance: number;
  readonly turn: number;
  readonly isLine: boolean;
  readonly text: string;
  readonly at: number;
  /** On the call's clock. */
  readonly samples: number;
  readonly words?: readonly WordTime[];
}

/**
 * The customer speaks, over whatever is still heard of the agent. Where that makes it give up, `saidSamples` is less than
 * the whole: with the rest nobody is troubled.
 */
export function speakOver(
  before: Playing,
  spoken: Spoken,
): { readonly state: Playing; readonly effects: readonly SessionEffect[]; readonly saidSamples: number } {
  const { kind, utterance, text, at, samples } = spoken;
  const { turn } = spoken;
  const own = {
    ...{ utterance, turn, text, startSample: at, samples, samplesSent: samples },
    ...{ isLine: spoken.isLine, words: spoken.words },
  };
  let turns = customerSpeaks(before.duplex.turns, { kind, at, samples });
  let { edges } = before.duplex;
  const isMurmur = kind === 'backchannel';
  const freeAt = isMurmur ? before.duplex.freeAt : Math.max(before.duplex.freeAt, at + samples);
  const stateWith = (): Playing => ({
    ...before,
    duplex: { ...before.duplex, turns, edges, own: isMurmur ? before.duplex.own : own, freeAt },
  });
  for (;;) {
    const [edge, ...rest] = edges;
    // What is not known yet may still come while the customer speaks: an agent that breaks in.
    if (edge === undefined) break;
    const until = Math.min(edge.at, at + samples);
    const step = decide(turns, until);
    if (step.decision?.type === 'yield') {
      turns = step.state;
      const cut = yieldTo(stateWith(), step.decision);
      const saidSamples = step.decision.at - at;
      const { duplex } = cut.state;
      const sent = duplex.own === null ? null : { ...duplex.own, samplesSent: saidSamples };
      const effects = cut.effects.map(
        (effect): SessionEffect =>
          effect.type === 'record' && effect.event.type === 'customer_yielded'
            ? { ...effect, event: { ...effect.event, samplesSent: saidSamples } }
            : effect,
      );
      return { state: { ...cut.state, duplex: { ...duplex, own: sent } }, effects, saidSamples };
    }
    // Whatever else comes of it is decided when the utterance is over.
    if (step.decision !== null || edge.at > at + samples) break;
    turns = edge.talks ? agentTalks(step.state, edge.at) : agentPauses(step.state, edge.at);
    edges = rest;
  }
  return { state: stateWith(), effects: [], saidSamples: samples };
}
