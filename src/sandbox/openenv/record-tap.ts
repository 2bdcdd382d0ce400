import type { EpisodeRecord, OpenRecord, RecordEvent } from '../../episodes/index.js';

/** Listens to the records of episodes that are played here, while they are written. */
export interface RecordTap {
  readonly openRecord: OpenRecord;
  /** What stands in the record so far; null when no such episode is open. */
  read(episode: string): EpisodeRecord | null;
  /** Lets the events go. */
  forget(episode: string): void;
}

function recordOf(events: readonly RecordEvent[]): EpisodeRecord | null {
  const [header] = events;
  if (header?.type !== 'episode') return null;
  return {
    header,
    events: [...events],
    end: events.find((event) => event.type === 'end') ?? null,
    outcome: events.find((event) => event.type === 'outcome') ?? null,
  };
}

export function tapRecords(openRecord: OpenRecord): RecordTap {
  const open = new Map<string, RecordEvent[]>();
  return {
    openRecord: (wished) => {
      const sink = openRecord(wished);
      // Where records are not kept, two episodes at once may be given the same name.
      let episode = sink.episode;
      for (let attempt = 2; open.has(episode); attempt += 1) episode = `${sink.episode}~${attempt}`;
      const events: RecordEvent[] = [];
      open.set(episode, events);
      return {
        episode,
        append: (event) => {
          sink.append(event);
          events.push(event);
        },
        audio: (sha256, wav) => sink.audio(sha256, wav),
        finish: () => sink.finish(),
      };
    },
    read: (episode) => recordOf(open.get(episode) ?? []),
    forget: (episode) => void open.delete(episode),
  };
}
