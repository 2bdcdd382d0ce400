export { DIFFERENCE_KINDS, type DifferenceKind } from './comparison/comparable.js';
export { compareRuns } from './comparison/compare-runs.js';
export { renderComparison } from './comparison/comparison-table.js';
export { readRunHearing, renderHearing } from './hearing/describe-hearing.js';
export type { RunManifest } from './manifest.js';
export { summariseRun } from './metrics/run-summary.js';
export { createPlan, selectTasks, splitNames } from './plan.js';
export { recordCall } from './recordings/record-call.js';
export { recordRun } from './recordings/record-run.js';
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
