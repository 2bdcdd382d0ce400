import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createDomain, createWorld, type RetailDomain } from '../../src/retail/index.js';

/** The reference data lies beside the project and is never part of it; tests that need it are skipped without it. */
const shared = resolve(import.meta.dirname, '..', '..', '..', 'shared');

export function referencePath(...parts: readonly string[]): string {
  return join(shared, ...parts);
}

export const hasReferenceData = existsSync(referencePath('data', 'tau2-retail', 'db.json'));

export function readReferenceJson(...parts: readonly string[]): unknown {
  return JSON.parse(readFileSync(referencePath(...parts), 'utf8'));
}

/** The worlds of the two benchmarks with their rules, without tasks. */
export function referenceDomain(source: 'tau1' | 'tau2'): RetailDomain {
  const folder = ['data', `${source}-retail`] as const;
  const json =
    source === 'tau2'
      ? readReferenceJson(...folder, 'db.json')
      : {
          users: readReferenceJson(...folder, 'users.json'),
          products: readReferenceJson(...folder, 'products.json'),
          orders: readReferenceJson(...folder, 'orders.json'),
        };
  return createDomain({
    source,
    label: source,
    world: createWorld(json),
    rules: source,
    policy: '',
    tasks: [],
  });
}
