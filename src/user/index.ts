export type { Customer, CustomerFactory, CustomerLine } from './customer.js';
export { CustomerFailedError } from './errors.js';
export { createScriptedCustomers } from './scripted/scripted-customers.js';
