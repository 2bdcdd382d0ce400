import { canonicalJson, sha256Hex } from '../shared/index.js';
import type { RetailDomain } from './contract.js';
import { createSession } from './session.js';
import { toolDefinitions } from './tools/registry.js';
import type { World } from './world.js';

function hashWorld(world: World): string {
  return sha256Hex(
    canonicalJson({
      users: Object.fromEntries(world.users),
      products: Object.fromEntries(world.products),
      orders: Object.fromEntries(world.orders),
    }),
  );
}

/** A domain from its parts; tools, hash and sessions follow from world and rules. */
export function createDomain(
  parts: Pick<RetailDomain, 'source' | 'label' | 'world' | 'rules' | 'policy' | 'tasks'>,
): RetailDomain {
  let hash: string | undefined;
  return {
    ...parts,
    tools: toolDefinitions(parts.rules),
    worldHash: () => {
      hash ??= hashWorld(parts.world);
      return hash;
    },
    openSession: () => createSession(parts.world, parts.rules),
  };
}
