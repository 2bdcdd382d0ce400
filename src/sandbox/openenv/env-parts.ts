import type { EpisodeFactory } from '../episode-factory.js';
import type { EpisodeSummary } from '../options.js';
import type { RecordTap } from './record-tap.js';
import type { TaskCatalogue } from './task-catalogue.js';
import type { RateTurns } from './turn-rewards.js';

/** A tool as OpenEnv lists it. */
export interface EnvTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: Readonly<Record<string, unknown>>;
}

/** What all environments of a server share. */
export interface EnvParts {
  /** Its records must be those of `tap`. */
  readonly factory: EpisodeFactory;
  readonly tap: RecordTap;
  readonly catalogue: TaskCatalogue;
  /** The domain's tools, then `respond_to_user` and `done`. */
  readonly tools: readonly EnvTool[];
  readonly toolNames: ReadonlySet<string>;
  /** Null: no turn rewards are given. */
  readonly rateTurns: RateTurns | null;
  readonly onEpisodeEnd: (summary: EpisodeSummary) => void;
  /** What the operator reads. */
  readonly onFault: (what: string, error: unknown) => void;
}
