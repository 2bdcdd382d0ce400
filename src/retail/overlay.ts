import { freezeDeep } from './freeze-deep.js';
import type { Rules } from './rules.js';
import type { ToolEffect, WorldView } from './tools/tool.js';
import type { Order, Product, User, Variant, World } from './world.js';
import { indexOf, nameZipKey, nameZipKeyOf, type WorldIndex } from './world-index.js';

/**
 * A world with changes laid over it. The world itself never changes: records that a call replaces are kept in two
 * maps, so that a new episode costs two empty maps and its end state is exactly what those maps hold.
 */
export class Overlay implements WorldView {
  readonly world: World;
  readonly rules: Rules;
  readonly users = new Map<string, User>();
  readonly orders = new Map<string, Order>();
  /** Was the conversation handed over to a person? */
  transferred = false;

  constructor(world: World, rules: Rules) {
    this.world = world;
    this.rules = rules;
  }

  get #index(): WorldIndex {
    return indexOf(this.world);
  }

  user(userId: string): User | undefined {
    return this.users.get(userId) ?? this.world.users.get(userId);
  }

  order(orderId: string): Order | undefined {
    return this.orders.get(orderId) ?? this.world.orders.get(orderId);
  }

  product(productId: string): Product | undefined {
    return this.world.products.get(productId);
  }

  variant(itemId: string): Variant | undefined {
    return this.#index.variants.get(itemId);
  }

  userIdByEmail(email: string): string | undefined {
    return this.#index.userIdByEmail.get(email.toLowerCase());
  }

  userIdByNameAndZip(firstName: string, lastName: string, zip: string): string | undefined {
    const key = nameZipKey(firstName, lastName, zip);
    const { userIdsByNameAndZip, placeOfUser } = this.#index;
    let first = (userIdsByNameAndZip.get(key) ?? []).find((userId) => !this.users.has(userId));
    for (const [userId, user] of this.users) {
      if (nameZipKeyOf(user) !== key) continue;
      if (first === undefined || (placeOfUser.get(userId) ?? 0) < (placeOfUser.get(first) ?? 0))
        first = userId;
    }
    return first;
  }

  productTypes(): Readonly<Record<string, string>> {
    return this.#index.productTypes;
  }

  apply(effect: ToolEffect): void {
    if (effect.order !== undefined) this.orders.set(effect.order.order_id, freezeDeep(effect.order));
    if (effect.user !== undefined && effect.user.record !== this.user(effect.user.id))
      this.users.set(effect.user.id, freezeDeep(effect.user.record));
    if (effect.transfers === true) this.transferred = true;
  }
}
