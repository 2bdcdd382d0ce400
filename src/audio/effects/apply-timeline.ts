import { TimelineError } from '../errors.js';
import type { Pcm } from '../pcm.js';
import { applyEntry } from './apply-entry.js';
import type { LineTimeline, TimelineEntry } from './conditions.js';
import { type LineVoices, NO_VOICES } from './line-voices.js';
import { toPcm16 } from './to-pcm16.js';

/** The most that tics and a tail may add to a line. */
const MAX_ADDED_SECONDS = 60;

/** What an entry may not say, whatever the schema lets through: stretches outside the line, or a line that grows without end. */
function checkSpan(entry: TimelineEntry, length: number, maxLength: number): void {
  const { kind, startSample, endSample } = entry;
  const longer = kind === 'tic' || kind === 'tail';
  const fits =
    startSample <= endSample && startSample <= length && endSample <= (longer ? maxLength : length);
  const tailFits = kind !== 'tail' || (startSample === length && endSample >= length);
  const ticFits = kind !== 'tic' || length + endSample - startSample <= maxLength;
  // The level is set before tics and tail are there, so its span is that of the finished line.
  if ((fits && tailFits && ticFits) || kind === 'level') return;
  throw new TimelineError(
    `'${kind}' from sample ${startSample} to ${endSample} does not fit a line of ${length} samples at that point`,
  );
}

/**
 * Makes a line again from its clean clip: the same bytes as `renderLine` gave with this timeline, on any machine with the same
 * version of V8's mathematics. Throws `TimelineError` if the clip, an entry or the voices are not those of the timeline.
 */
export function applyTimeline(clean: Pcm, timeline: LineTimeline, voices: LineVoices = NO_VOICES): Pcm {
  const { sampleRateHz, cleanSamples } = timeline;
  if (clean.sampleRateHz !== sampleRateHz || clean.samples.length !== cleanSamples) {
    throw new TimelineError(
      `the timeline is of a clip of ${cleanSamples} samples at ${sampleRateHz} Hz; got ${clean.samples.length} at ${clean.sampleRateHz} Hz`,
    );
  }
  if (timeline.entries.length === 0) return clean;
  const maxLength = cleanSamples + MAX_ADDED_SECONDS * sampleRateHz;
  let samples = new Float32Array(clean.samples);
  for (const entry of timeline.entries) {
    checkSpan(entry, samples.length, maxLength);
    samples = applyEntry(samples, entry, { sampleRateHz, voices }) as Float32Array<ArrayBuffer>;
  }
  return { samples: toPcm16(samples), sampleRateHz };
}
