import { createRandom, deriveSeed } from '../../shared/index.js';
import { TimelineError } from '../errors.js';
import { activeRms } from './active-level.js';
import type { EntryOf } from './conditions.js';
import { voiceAtRate, voiceSha256 } from './line-voices.js';
import { eventLength } from './noise/events.js';
import type { LineFacts } from './plan-line.js';

/** How far an aside lies below the line's own level: it is spoken away from the telephone. */
const ASIDE_GAIN = 0.6;
/** The pause between a line and what comes after it that is not for the agent. */
const SHORTEST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 900;

/** A cough or an aside after the line, or null if there is none this time. */
export function planInsert(
  { clean, conditions, seed, voices }: LineFacts,
  place: { after: number; referenceRms: number },
): EntryOf<'insert'> | EntryOf<'aside'> | null {
  const { inserts } = conditions;
  const { sampleRateHz } = clean;
  const random = createRandom(deriveSeed('line', 'inserts', seed));
  if (inserts === null || !random.chance(inserts.chance)) return null;
  if (inserts.kinds.length + inserts.phrases.length === 0) return null;
  const pauseMs = random.int(SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS);
  const startSample = place.after + Math.round((pauseMs * sampleRateHz) / 1000);
  const choice = random.int(0, inserts.kinds.length + inserts.phrases.length - 1);
  const tic = inserts.kinds[choice];
  if (tic !== undefined) {
    const parameters = { tic, seed: random.int(0, 2 ** 31 - 1), referenceRms: place.referenceRms };
    const endSample = startSample + eventLength(tic, sampleRateHz);
    return { kind: 'insert', startSample, endSample, parameters };
  }
  const phrase = inserts.phrases[choice - inserts.kinds.length] as string;
  const clip = voices.asides.get(phrase);
  if (clip === undefined)
    throw new TimelineError(`the line needs a clip of the aside "${phrase}"; none was given`);
  const sound = voiceAtRate(clip, sampleRateHz);
  const level = activeRms(sound, sampleRateHz);
  const gain = level === 0 ? 0 : (ASIDE_GAIN * place.referenceRms) / level;
  const parameters = { phrase, sha256: voiceSha256(clip), cutoffHz: inserts.cutoffHz, gain };
  return { kind: 'aside', startSample, endSample: startSample + sound.length, parameters };
}
