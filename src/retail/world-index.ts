import type { Address, User, Variant, World } from './world.js';

/**
 * Look-ups that would otherwise walk the whole world, built once per world and shared by all its sessions.
 * Where several users match, the references give the first one of the database; so places are kept.
 */
export interface WorldIndex {
  readonly userIdByEmail: ReadonlyMap<string, string>;
  /** Ids of the users with this name and zip code, in the order of the database. */
  readonly userIdsByNameAndZip: ReadonlyMap<string, readonly string[]>;
  /** Place of a user in the database. */
  readonly placeOfUser: ReadonlyMap<string, number>;
  readonly variants: ReadonlyMap<string, Variant>;
  readonly productTypes: Readonly<Record<string, string>>;
}

const indexes = new WeakMap<World, WorldIndex>();

export function nameZipKey(firstName: string, lastName: string, zip: Address['zip']): string {
  return JSON.stringify([firstName.toLowerCase(), lastName.toLowerCase(), zip]);
}

export function nameZipKeyOf(user: User): string {
  return nameZipKey(user.name.first_name, user.name.last_name, user.address.zip);
}

function buildIndex(world: World): WorldIndex {
  const userIdByEmail = new Map<string, string>();
  const userIdsByNameAndZip = new Map<string, string[]>();
  const placeOfUser = new Map<string, number>();
  for (const [userId, user] of world.users) {
    placeOfUser.set(userId, placeOfUser.size);
    const email = user.email.toLowerCase();
    if (!userIdByEmail.has(email)) userIdByEmail.set(email, userId);
    const key = nameZipKeyOf(user);
    userIdsByNameAndZip.set(key, [...(userIdsByNameAndZip.get(key) ?? []), userId]);
  }
  const variants = new Map<string, Variant>();
  for (const product of world.products.values())
    for (const variant of Object.values(product.variants))
      if (!variants.has(variant.item_id)) variants.set(variant.item_id, variant);
  const names = [...world.products.values()]
    .map((product) => [product.name, product.product_id] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return {
    userIdByEmail,
    userIdsByNameAndZip,
    placeOfUser,
    variants,
    productTypes: Object.freeze(Object.fromEntries(names)),
  };
}

export function indexOf(world: World): WorldIndex {
  const known = indexes.get(world);
  if (known !== undefined) return known;
  const index = buildIndex(world);
  indexes.set(world, index);
  return index;
}
