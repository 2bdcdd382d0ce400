export { ResumeMismatchError, RunManifestError, TaskSelectionError } from './errors.js';
