export type { Customer, CustomerFactory, CustomerLine } from './customer.js';
export { CustomerFailedError } from './errors.js';
export { createModelCustomers, type ModelCustomersOptions } from './model/model-customers.js';
export { type PersonaChoice, parsePersona } from './model/persona.js';
export { createScriptedCustomers } from './scripted/scripted-customers.js';
export {
  agentPauses,
  agentTalks,
  customerSpeaks,
  customerStops,
  decide,
  nextDecision,
  passTime,
} from './turn-taking/take-turns.js';
export { TURN_TAKING_PRESETS } from './turn-taking/turn-rules.js';
export {
  openTurns,
  type TurnDecision,
  type TurnState,
  type UtteranceKind,
} from './turn-taking/turn-state.js';
