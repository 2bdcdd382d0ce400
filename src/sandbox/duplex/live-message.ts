import type { RecordEvent } from '../../episodes/index.js';
import { agentPauses, agentTalks, passTime, type TurnState } from '../../user/index.js';
import { askCustomer } from '../session/floor.js';
import type { HeardSaying, SessionState, Transition } from '../session/state.js';
import { type Duplex, type Edge, msToSamples } from './duplex.js';
import { begin, goOn } from './hear-agent.js';
import { wordsBy, wordsSaid } from './words-said.js';

type Playing = SessionState & { readonly duplex: Duplex };

/**
 * The message to speech that has been heard while it came: now it is known which words were said, and what is still to be
 * heard. If the customer has broken in, the agent has fallen silent by now, and what was not heard is lost.
 */
export function hearLive(state: Playing, said: HeardSaying): Transition {
  const { duplex } = state;
  const { delivery } = said;
  if (delivery?.live === undefined) throw new TypeError('speech that was heard needs its place');
  const { talk, yieldMs, live } = delivery;
  const { startSample } = live;
  const now = Math.max(state.callNow ?? live.toldAt, duplex.turns.now);
  const whole = talk.talks.flatMap((one): Edge[] => [
    { at: startSample + one.startSample, talks: true },
    { at: startSample + one.endSample, talks: false },
  ]);
  const turns = caughtUp(duplex, whole, now);
  const hearing = {
    ...{ said, talk, startSample, yieldSamples: msToSamples(duplex, yieldMs), begun: false },
  };
  const edges = whole.filter(({ at }) => at > now);
  const next: Playing = {
    ...state,
    duplex: {
      ...{ ...duplex, turns, hearing, edges, silentMs: 0, bargeAt: null, interjectedAt: null },
      freeAt: now,
    },
  };
  const { interjectedAt } = duplex;
  const agentEnd = whole.at(-1)?.at ?? startSample;
  return interjectedAt !== null && interjectedAt >= startSample && interjectedAt < agentEnd
    ? cutOff(next, { interjectedAt, stopSample: Math.min(agentEnd, live.toldAt), now })
    : goOn(next);
}

/** Up to now the voice was followed as it came; the whole of it is known better. */
function caughtUp({ turns: before, edges }: Duplex, whole: readonly Edge[], now: number): TurnState {
  let turns = before;
  for (const { at, talks } of edges.filter((edge) => edge.at <= now))
    turns = talks ? agentTalks(turns, at) : agentPauses(turns, at);
  const last = whole.findLast(({ at }) => at <= now);
  const isHeard = turns.talk !== null && turns.talk.pausedAt === null;
  if (last !== undefined && last.talks !== isHeard)
    turns = last.talks ? agentTalks(turns, last.at) : agentPauses(turns, last.at);
  // A message is answered, whenever its voice was heard; one that was sent ahead is still to be heard.
  const wasHeard = whole.some(({ at }) => at <= now);
  return passTime(wasHeard ? { ...turns, owesAnswer: true } : turns, now);
}

/** What the customer broke in for, now that it is known what it had heard. */
function cutOff(
  state: Playing,
  at: { readonly interjectedAt: number; readonly stopSample: number; readonly now: number },
): Transition {
  const begun = begin(state);
  const { duplex, turn } = begun.state;
  const { hearing, unanswered, cutOff: ownCut } = duplex;
  if (hearing === null) throw new TypeError('nothing was heard');
  const { said, talk, startSample } = hearing;
  const heardSamples = Math.max(0, at.stopSample - startSample);
  const heardText = wordsSaid(said.text, talk, heardSamples);
  const event: RecordEvent = {
    ...{ type: 'customer_interrupted', turn, cause: 'interruption', atSample: at.interjectedAt },
    ...{ agentStopSample: at.stopSample, heardSamples, answeredText: heardText, heardText },
    words: wordsBy(said.text, talk),
  };
  const { sampleRateHz } = duplex.turns;
  const turns = agentPauses(duplex.turns, at.stopSample);
  const lineAt = Math.max(at.now, turns.own?.end ?? turns.ownEnd);
  const next: Playing = {
    ...begun.state,
    duplex: {
      ...{ ...duplex, turns, hearing: null, edges: [], unanswered: '', cutOff: null },
      next: { cause: 'interruption', at: lineAt, breakIn: null },
    },
  };
  const text = [unanswered, heardText].filter((part) => part !== '').join(' ');
  return {
    state: next,
    effects: [
      ...begun.effects,
      { type: 'record', event },
      {
        type: 'send',
        event: {
          ...{ type: 'agent.interrupted', turn, callSample: at.interjectedAt, heardSamples, heardText },
          heardMs: (heardSamples * 1_000) / sampleRateHz,
        },
      },
      ...askCustomer(next, text, { at: lineAt, ...(ownCut === null ? {} : { cutOff: ownCut }) }),
    ],
  };
}
