import { createRandom, deriveSeed, type Random } from '../../shared/index.js';
import { TimelineError } from '../errors.js';
import type { Pcm } from '../pcm.js';
import { activeRms } from './active-level.js';
import type { Conditions, LineTimeline, TimelineEntry } from './conditions.js';
import { findPause } from './find-pause.js';
import { crowdSha256, type LineVoices } from './line-voices.js';
import { needsVoices } from './noise/beds.js';
import { eventLength } from './noise/events.js';
import { planPacketLoss } from './packet-loss.js';
import { planInsert } from './plan-insert.js';

/** How loud speech is taken to be where there is none to measure; the reference of tau-voice. */
const SILENT_REFERENCE_RMS = 3000;
const MAX_BURSTS = 200;

export interface LineFacts {
  readonly clean: Pcm;
  readonly conditions: Conditions;
  readonly seed: number;
  readonly voices: LineVoices;
  /** Words of the line; tics spare very short ones. */
  readonly words: number;
}

/** Chance and choice of each effect come from a stream of its own, so that switching one off changes no other. */
const stream = (seed: number, effect: string): Random => createRandom(deriveSeed('line', effect, seed));
const seedOf = (random: Random): number => random.int(0, 2 ** 31 - 1);

/**
 * Decides everything that will happen to a line; `applyTimeline` then does it. Order: level; tics (which lengthen the speech); the
 * tail with its inserts; then mouth (muffling), room (reverberation, bed, bursts), microphone (clipping), line (telephony, loss).
 */
export function planLine({ clean, conditions, seed, voices, words }: LineFacts): LineTimeline {
  const { sampleRateHz } = clean;
  const toSamples = (ms: number): number => Math.round((ms * sampleRateHz) / 1000);
  const entries: TimelineEntry[] = [];
  const measured = activeRms(clean.samples, sampleRateHz);
  const gain = conditions.level === null || measured === 0 ? 1 : conditions.level.activeRms / measured;
  const referenceRms = conditions.level?.activeRms ?? (measured === 0 ? SILENT_REFERENCE_RMS : measured);
  let length = clean.samples.length;

  const { tics } = conditions;
  if (tics !== null && words >= tics.minWords) {
    const random = stream(seed, 'tics');
    const pause = random.chance(tics.chance) ? findPause(clean, random) : null;
    if (pause !== null) {
      const tic = random.pick(tics.kinds);
      const endSample = pause + eventLength(tic, sampleRateHz);
      entries.push({
        kind: 'tic',
        startSample: pause,
        endSample,
        parameters: { tic, seed: seedOf(random), referenceRms },
      });
      length += endSample - pause;
    }
  }

  const speechEnd = length;
  const inserted = planInsert({ clean, conditions, seed, voices, words }, { after: speechEnd, referenceRms });
  const ringing = conditions.reverberation === null ? 0 : toSamples(conditions.reverberation.rt60Ms);
  length = Math.max(
    speechEnd + ringing,
    (inserted?.endSample ?? 0) + (inserted === null ? 0 : toSamples(150)),
  );
  if (length > speechEnd)
    entries.push({ kind: 'tail', startSample: speechEnd, endSample: length, parameters: {} });
  if (inserted !== null) entries.push(inserted);
  const whole = { startSample: 0, endSample: length };
  if (gain !== 1) entries.unshift({ kind: 'level', ...whole, parameters: { gain } });

  const { muffling, reverberation, bed, bursts, clipping, telephony, packetLoss } = conditions;
  if (muffling !== null && speechEnd > 0) {
    const random = stream(seed, 'muffling');
    const count = random.chance(muffling.chance) ? muffling.segments : 0;
    for (let segment = 0; segment < count; segment += 1) {
      const samples = Math.min(speechEnd, toSamples(muffling.durationMs));
      const startSample = random.int(0, speechEnd - samples);
      entries.push({
        kind: 'muffling',
        startSample,
        endSample: startSample + samples,
        parameters: { cutoffHz: muffling.cutoffHz, transitionSamples: toSamples(muffling.transitionMs) },
      });
    }
  }
  if (reverberation !== null) {
    const parameters = { ...reverberation, seed: seedOf(stream(seed, 'reverberation')) };
    entries.push({ kind: 'reverberation', ...whole, parameters });
  }
  const environment =
    conditions.environments.length === 0 ? null : stream(seed, 'environment').pick(conditions.environments);
  if (bed !== null && environment !== null) {
    const random = stream(seed, 'bed');
    const kind = random.pick(environment.beds);
    if (needsVoices(kind) && voices.crowd.length === 0)
      throw new TimelineError(`the bed '${kind}' is made of voices; hand some in as 'crowd'`);
    const voicesSha256 = needsVoices(kind) ? crowdSha256(voices) : null;
    const parameters = { bed: kind, seed: seedOf(random), ...bed, referenceRms, voicesSha256 };
    entries.push({ kind: 'bed', ...whole, parameters });
  }
  if (bursts !== null && environment !== null && bursts.perMinute > 0) {
    const random = stream(seed, 'bursts');
    // Gaps of a Poisson process are exponential with the mean gap between events.
    const gap = (): number => toSamples((-Math.log(1 - random.next()) * 60_000) / bursts.perMinute);
    for (let at = gap(), count = 0; at < length && count < MAX_BURSTS; at += gap(), count += 1) {
      const burst = random.pick(environment.bursts);
      const [low, high] = bursts.snrDb;
      const parameters = {
        burst,
        seed: seedOf(random),
        snrDb: low + (high - low) * random.next(),
        referenceRms,
      };
      const endSample = Math.min(length, at + eventLength(burst, sampleRateHz));
      entries.push({ kind: 'burst', startSample: at, endSample, parameters });
    }
  }
  if (clipping !== null) entries.push({ kind: 'clipping', ...whole, parameters: clipping });
  if (telephony !== null) entries.push({ kind: 'telephony', ...whole, parameters: telephony });
  if (packetLoss !== null) {
    const line = { length, sampleRateHz, seed: deriveSeed('line', 'packet-loss', seed) };
    for (const { start, end } of planPacketLoss(packetLoss, line))
      entries.push({ kind: 'packet-loss', startSample: start, endSample: end, parameters: {} });
  }
  return { format: 1, sampleRateHz, cleanSamples: clean.samples.length, entries };
}
