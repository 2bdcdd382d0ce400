export * from './contract.js';
export * from './task.js';
export * from './world.js';
