export { type EpisodeKey, episodeId, splitAttempt } from './episode-id.js';
export { type EpisodeReading, parseEpisode, type RecordFault, readEpisode } from './episode-reader.js';
export { FolderInUseError, ImportError, RecordError, RunFolderError } from './errors.js';
export { CLAIM_FILE, claimFolder } from './folder-claim.js';
export {
  formatGenerations,
  generationsPath,
  type RestoredGeneration,
  readGenerations,
} from './generations.js';
export type { ImportFault, ImportFormat, ImportReading } from './import/import-format.js';
export { readImport } from './import/read-import.js';
export { type ImportSummary, writeImport } from './import/write-import.js';
export { createMemoryRecords, type MemoryRecords } from './memory-records.js';
export { openNoRecord } from './no-records.js';
export * from './record.js';
export type { OpenRecord, RecordSink } from './record-sink.js';
export { openRunFolder, type RunFolder } from './run-folder.js';
export { type RunPaths, runPaths } from './run-paths.js';
export { type RunReading, readRun } from './run-reader.js';
export type { EpisodeTiming } from './timing.js';
export { type ToolKind, toolKindByName } from './tool-kind.js';
