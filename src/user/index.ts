export type { Customer, CustomerFactory, CustomerLine } from './customer.js';
