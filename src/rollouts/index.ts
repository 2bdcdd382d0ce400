export { type CallbackHosts, createCallbackHosts } from './callback-hosts.js';
export { openJournal, openNoJournal } from './journal.js';
export { isNestedDeeper } from './json-depth.js';
export { rolloutJsonSchema } from './json-schema.js';
export { createRewardCourier } from './reward-courier.js';
export { failedResult, isOver, ROLLOUT_STATES, type RolloutResult, type RolloutView } from './rollout.js';
export {
  createRolloutDesk,
  type PlayRollout,
  type RolloutDesk,
  type WantedRollout,
} from './rollout-desk.js';
export { modeOf, type RolloutRequest, rolloutRequestSchema } from './rollout-request.js';
