export { type Clock, createManualClock, systemClock } from './clock.js';
export { describeError, ParlorError, type ParlorErrorOptions, UsageError } from './errors.js';
export { canonicalJson, type JsonObject, type JsonValue, sha256Hex } from './json.js';
export { makeFolder } from './make-folder.js';
export { createRandom, deriveSeed, type Random } from './random.js';
