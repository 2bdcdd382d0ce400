export { ResumeMismatchError, RunManifestError, TaskSelectionError } from './errors.js';
export type { EpisodeLabel } from './labels.js';
export type { RunManifest } from './manifest.js';
export { type RunData, type RunSummary, summariseRun } from './metrics/run-summary.js';
export { createPlan, type PlannedEpisode, selectTasks, splitNames } from './plan.js';
export { renderReport } from './report/render-report.js';
export {
  appendLabel,
  loadRun,
  type OpenRun,
  readLabels,
  readManifest,
  reportPath,
  resumeRun,
  startRun,
  writeLabels,
} from './run-folder.js';
export { type RunEvent, type RunPlanResult, runPlan } from './run-plan.js';
export { renderTable } from './table.js';
