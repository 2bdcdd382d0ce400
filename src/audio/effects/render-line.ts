import type { Pcm } from '../pcm.js';
import { applyTimeline } from './apply-timeline.js';
import type { Conditions, LineTimeline } from './conditions.js';
import { type LineVoices, NO_VOICES } from './line-voices.js';
import { planLine } from './plan-line.js';

/** What the agent hears, and how it came about. */
export interface RenderedLine {
  readonly clip: Pcm;
  readonly timeline: LineTimeline;
}

export interface RenderOptions {
  /** Unless given, babble, the news and asides cannot be made. */
  readonly voices?: LineVoices;
  /** Words of the line: tics spare short ones. Unlimited unless given. */
  readonly words?: number;
}

/**
 * A clean line under the given conditions. The same clip, conditions, seed and voices give the same bytes. Conditions with several
 * environments or beds draw one per line; give an episode's through `settleConditions` to keep them the same throughout.
 */
export function renderLine(
  clean: Pcm,
  conditions: Conditions,
  options: RenderOptions & { seed: number },
): RenderedLine {
  const { seed, voices = NO_VOICES, words = Number.POSITIVE_INFINITY } = options;
  const timeline = planLine({ clean, conditions, seed, voices, words });
  return { clip: applyTimeline(clean, timeline, voices), timeline };
}
