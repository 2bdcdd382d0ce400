import { END_OWNERS, type EndReason, type Mode } from '../../protocol/index.js';
import type { Task } from '../../retail/index.js';
import { episodeId } from '../episode-id.js';
import { type EpisodeHeader, type OutcomeEvent, RECORD_VERSION } from '../record.js';
import type { Conversation } from './conversation.js';
import { domainOf, type ImportedEpisode, type ImportFormat, type ImportSource } from './import-format.js';

/** What a source says about one rollout, beside its conversation. */
export interface SourceRow {
  readonly format: ImportFormat;
  /** The row's place in the source, from 0. */
  readonly index: number;
  readonly task: Task;
  readonly mode: Mode;
  readonly trial: number;
  readonly seed: number;
  readonly agent: string | null;
  readonly customer: string;
  /** Null: told by the calls, where they tell it. */
  readonly domain: string | null;
  readonly policyHash: string | null;
  readonly toolsHash: string | null;
  readonly limits: EpisodeHeader['limits'];
  /** The source's own word for the end. */
  readonly termination: string | null;
  readonly reason: EndReason;
  /** Null: the source has no reward, so the episode counts as not scored, never as 0. */
  readonly outcome: OutcomeEvent | null;
  /** Whatever of the row has no place of its own in a record. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** One rollout of either format as the lines of a record. */
export function assembleEpisode(
  row: SourceRow,
  conversation: Conversation,
  source: ImportSource,
): ImportedEpisode {
  const { format, task, mode, trial, seed, reason, outcome } = row;
  const { events, turns, greeting, messageFields } = conversation;
  const episode = episodeId({ task: task.id, mode, trial, seed });
  const calls = events.flatMap((event) => (event.type === 'tool_call' ? [event] : []));
  return {
    episode,
    events: [
      {
        ...{ type: 'episode', version: RECORD_VERSION, episode, mode, seed, trial },
        agent: source.agent ?? row.agent ?? source.file.replace(/\.json$/, ''),
        customer: row.customer,
        voice: null,
        source: 'import',
        rules: format,
        worldHash: 'unknown',
        policyHash: row.policyHash ?? 'unknown',
        toolsHash: row.toolsHash ?? 'unknown',
        limits: row.limits,
        task,
        imported: {
          format,
          file: source.file,
          row: row.index,
          domain: row.domain ?? domainOf([...task.groundTruth, ...calls]),
          termination: row.termination,
          greeting,
          fields: { ...row.fields },
          messages: { ...messageFields },
        },
      },
      ...events,
      { type: 'end', turn: turns, reason, owner: END_OWNERS[reason] },
      ...(outcome === null ? [] : [outcome]),
    ],
  };
}
