import type { LineTimeline } from './conditions.js';

/**
 * Where a sample of the clean clip stands in the finished line: tics are put between, everything else leaves time as it is. The
 * last sample before a tic stays before it.
 */
export function onTimeline(sample: number, { entries }: LineTimeline): number {
  return entries.reduce(
    (at, { kind, startSample, endSample }) =>
      kind === 'tic' && startSample <= at ? at + endSample - startSample : at,
    sample,
  );
}
