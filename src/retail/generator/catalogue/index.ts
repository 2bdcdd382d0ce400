import { CLOTHING } from './clothing.js';
import { ELECTRONICS } from './electronics.js';
import { HOME } from './home.js';
import { KITCHEN } from './kitchen.js';
import { LEISURE } from './leisure.js';
import type { ProductSpec } from './product-spec.js';

/** Every product type of the built-in shop. */
export const CATALOGUE: readonly ProductSpec[] = [
  ...CLOTHING,
  ...KITCHEN,
  ...ELECTRONICS,
  ...HOME,
  ...LEISURE,
];
