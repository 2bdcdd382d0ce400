export { ParlorError, UsageError } from './shared/index.js';
