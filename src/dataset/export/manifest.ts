import { canonicalJson, sha256Hex } from '../../shared/index.js';
import { ROW_VERSION } from '../rows/row.js';
import type { DatasetSource } from '../source/dataset-source.js';
import { builtInEvaluationHashes, type SourceEntry } from '../source/entry.js';
import type { FilterStep } from '../source/filters.js';
import type { Counts, DatasetFile } from './export-state.js';
import { type DatasetStatistics, describeEntries } from './statistics.js';

export const MANIFEST_VERSION = 1;

/** `manifest.json` of a dataset. No clock, no host, no folder: the same runs and options give the same bytes. */
export interface DatasetManifest {
  readonly type: 'dataset';
  readonly version: typeof MANIFEST_VERSION;
  readonly rowVersion: number;
  /** Version of Parlor that wrote it. */
  readonly parlor: string;
  readonly purpose: 'train' | 'eval';
  readonly formats: readonly string[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly runs: DatasetSource['runs'];
  readonly unreadable: number;
  readonly filters: readonly FilterStep[];
  readonly statistics: DatasetStatistics;
  readonly tasks: {
    /** Distinct tasks by content. */
    readonly distinct: number;
    /** Over the sorted content hashes. */
    readonly digest: string;
    /** Tasks of an evaluation among them; 0 in a dataset made to train on. */
    readonly evaluation: number;
    /** Built-in evaluation tasks that the tasks were compared with, by content. */
    readonly comparedWith: number;
  };
  /** Tasks that stand in both splits, by content; always 0, and counted, not assumed. */
  readonly splitOverlap: number;
  readonly seeds: { readonly distinct: number; readonly digest: string };
  readonly voices: readonly {
    readonly voice: string;
    readonly licence: string | null;
    readonly episodes: number;
    readonly seconds: number;
  }[];
  readonly skipped: Counts;
  readonly figures: Counts;
  readonly files: readonly DatasetFile[];
}

export interface ManifestInput
  extends Pick<
    DatasetManifest,
    'parlor' | 'purpose' | 'formats' | 'settings' | 'filters' | 'skipped' | 'figures' | 'files'
  > {
  readonly source: DatasetSource;
  readonly entries: readonly SourceEntry[];
  readonly splitOf: ReadonlyMap<string, ReadonlySet<string>>;
  readonly voiceLicences: ReadonlyMap<string, string>;
}

function voicesIn({ entries, voiceLicences }: ManifestInput): DatasetManifest['voices'] {
  const voices = new Map<string, { episodes: number; ms: number }>();
  for (const { voice, clips } of entries) {
    if (voice === null) continue;
    const { episodes, ms } = voices.get(voice) ?? { episodes: 0, ms: 0 };
    const own = clips.reduce((sum, { durationMs }) => sum + durationMs, 0);
    voices.set(voice, { episodes: episodes + 1, ms: ms + own });
  }
  return [...voices]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([voice, { episodes, ms }]) => ({
      ...{ voice, licence: voiceLicences.get(voice) ?? null, episodes, seconds: ms / 1000 },
    }));
}

export function buildManifest(input: ManifestInput): DatasetManifest {
  const { entries, source, splitOf } = input;
  const hashes = [...new Set(entries.map(({ taskHash }) => taskHash))].sort((a, b) => (a < b ? -1 : 1));
  const seeds = [...new Set(entries.map(({ seed }) => seed))].sort((a, b) => a - b);
  const [first = new Set<string>(), ...others] = [...splitOf.values()];
  return {
    ...{ type: 'dataset', version: MANIFEST_VERSION, rowVersion: ROW_VERSION, parlor: input.parlor },
    ...{ purpose: input.purpose, formats: input.formats, settings: input.settings },
    ...{ runs: source.runs, unreadable: source.faults.length, filters: input.filters },
    statistics: describeEntries(entries),
    tasks: {
      distinct: hashes.length,
      digest: sha256Hex(canonicalJson(hashes)),
      evaluation: new Set(entries.flatMap(({ isEvaluation, taskHash }) => (isEvaluation ? [taskHash] : [])))
        .size,
      comparedWith: builtInEvaluationHashes().size,
    },
    splitOverlap: [...first].filter((hash) => others.some((other) => other.has(hash))).length,
    seeds: { distinct: seeds.length, digest: sha256Hex(canonicalJson(seeds)) },
    voices: voicesIn(input),
    ...{ skipped: input.skipped, figures: input.figures, files: input.files },
  };
}
