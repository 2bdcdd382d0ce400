import type { EpisodeRecord, RecordEvent } from '../../../../src/episodes/index.js';

/** Events in memory as the record that a reader would give. */
export function recordOf(events: readonly RecordEvent[]): EpisodeRecord {
  const header = events.find((event) => event.type === 'episode');
  if (header === undefined) throw new Error('an episode without a header');
  const end = events.find((event) => event.type === 'end') ?? null;
  const outcome = events.find((event) => event.type === 'outcome') ?? null;
  return { header, events, end, outcome };
}
