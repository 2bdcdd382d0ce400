export { ResumeMismatchError, RunFolderError, TaskSelectionError } from './errors.js';
