import type { Random } from '../../shared/index.js';
import type { Pcm } from '../pcm.js';

const FRAME_MS = 10;
/** How many frames in a row make a pause. */
const PAUSE_FRAMES = 3;
/** Candidates: the quietest ones of the clip's middle. */
const CANDIDATES = 3;

/** The sample in the middle of a pause between words, one of the quietest of the clip's middle; null if the clip is too short. */
export function findPause({ samples, sampleRateHz }: Pcm, random: Random): number | null {
  const frame = Math.round((sampleRateHz * FRAME_MS) / 1000);
  const first = Math.ceil((samples.length * 0.15) / frame);
  const last = Math.floor((samples.length * 0.85) / frame) - PAUSE_FRAMES;
  const found: { at: number; energy: number }[] = [];
  for (let start = first; start <= last; start += PAUSE_FRAMES) {
    let energy = 0;
    for (let i = start * frame; i < (start + PAUSE_FRAMES) * frame; i += 1)
      energy += (samples[i] as number) ** 2;
    found.push({ at: start * frame + ((PAUSE_FRAMES * frame) >> 1), energy });
  }
  if (found.length === 0) return null;
  found.sort((a, b) => a.energy - b.energy || a.at - b.at);
  return random.pick(found.slice(0, CANDIDATES)).at;
}
