import { customerRecord } from './customer-record.js';
import { endEpisode } from './ending.js';
import { stay, timer } from './floor.js';
import type { EventOf, SessionState, Transition } from './state.js';

/**
 * A line that goes out while the voice still makes it. Its place in the record is where it began, its hash and length are known when
 * it is whole; so what would be recorded meanwhile, and the end of the episode, are held back until then. The record is the same as
 * that of a line which was whole before it was sent.
 */
export function holdBack(transition: Transition): Transition {
  const { state, effects } = transition;
  const { voicing } = state;
  if (voicing === null) return transition;
  const held = effects.filter(({ type }) => type === 'record' || type === 'finish');
  if (held.length === 0) return transition;
  return {
    ...transition,
    state: { ...state, voicing: { ...voicing, held: [...voicing.held, ...held] } },
    effects: effects.filter((effect) => !held.includes(effect)),
  };
}

export function takeVoiced(state: SessionState, { spoken }: EventOf<'voiced'>): Transition {
  const { voicing } = state;
  if (voicing === null) return stay(state);
  const { held, ...said } = voicing;
  const next = { ...state, voicing: null };
  // From here on only the agent can be slow.
  const speakingMs = state.pacing === 'realtime' ? spoken.durationMs : 0;
  const isSending = state.floor.holder === 'delivery';
  return {
    state: next,
    effects: [
      { type: 'record', event: customerRecord({ ...said, spoken }) },
      ...held,
      ...(isSending ? [timer(next, state.limits.agentTimeoutMs + speakingMs)] : []),
    ],
  };
}

/**
 * The line that is being made will not be whole, or is not waited for: the record goes on without it. What was sent cannot be taken
 * back, so the episode ends with this reason, which is the platform's, unless it had ended before.
 */
export function abandonLine(
  state: SessionState,
  reason: 'platform_failed' | 'shutdown',
  detail?: string,
): Transition {
  const { voicing } = state;
  if (voicing === null) return stay(state);
  const free = { ...state, voicing: null };
  return endEpisode(free, reason, { effects: voicing.held, ...(detail === undefined ? {} : { detail }) });
}
