import { createRandom } from '../../shared/index.js';
import type { Conditions } from './conditions.js';

/**
 * Which stretches of a line are lost, after E. N. Gilbert and E. O. Elliott: a chain of chunks is in a good state (nothing lost) or
 * a bad one (lost with `badStateLoss`). Bad states last `meanBurstMs` on average, and the share p of time in them follows from
 * the loss that is wanted, p = lossRate / badStateLoss; so out of the bad state with e = 1 - exp(-chunk / burst) per chunk,
 * into it with e p / (1 - p).
 */
export function planPacketLoss(
  loss: NonNullable<Conditions['packetLoss']>,
  line: { length: number; sampleRateHz: number; seed: number },
): { start: number; end: number }[] {
  const random = createRandom(line.seed);
  const share = Math.min(0.99, loss.lossRate / loss.badStateLoss);
  const leave = 1 - Math.exp(-loss.chunkMs / loss.meanBurstMs);
  const enter = Math.min(1, (leave * share) / (1 - share));
  const chunk = Math.round((loss.chunkMs * line.sampleRateHz) / 1000);
  const lost = Math.round((loss.lossMs * line.sampleRateHz) / 1000);
  const stretches: { start: number; end: number }[] = [];
  let bad = random.chance(share);
  for (let start = 0; start < line.length; start += chunk) {
    if (bad && random.chance(loss.badStateLoss)) {
      const end = Math.min(line.length, start + lost);
      const last = stretches.at(-1);
      if (last !== undefined && last.end >= start) last.end = Math.max(last.end, end);
      else stretches.push({ start, end });
    }
    bad = random.chance(bad ? 1 - leave : enter);
  }
  return stretches;
}
