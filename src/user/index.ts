export type { Customer, CustomerFactory, CustomerLine } from './customer.js';
export { CustomerFailedError } from './errors.js';
export { createModelCustomers, type ModelCustomersOptions } from './model/model-customers.js';
export { type PersonaChoice, parsePersona } from './model/persona.js';
export { createScriptedCustomers } from './scripted/scripted-customers.js';
