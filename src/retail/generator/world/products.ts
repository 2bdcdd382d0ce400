import type { Random } from '../../../shared/index.js';
import { toCents, toDollars } from '../../money.js';
import type { Options, Product, Variant } from '../../world.js';
import { CATALOGUE } from '../catalogue/index.js';
import type { ProductSpec } from '../catalogue/product-spec.js';

const MIN_AVAILABLE = 4;
const MIN_VARIANTS = 8;
const MAX_VARIANTS = 14;

interface Combination {
  readonly options: Options;
  readonly cents: number;
}

/** Every combination of option values, each with its price. */
function combinationsOf(spec: ProductSpec): Combination[] {
  let combinations: Combination[] = [{ options: {}, cents: toCents(spec.basePrice) }];
  for (const [option, values] of Object.entries(spec.options))
    combinations = combinations.flatMap(({ options, cents }) =>
      Object.entries(values).map(([value, surcharge]) => ({
        options: { ...options, [option]: value },
        cents: cents + toCents(surcharge),
      })),
    );
  return combinations;
}

/** The shop's products: a sample of each type's combinations, about two thirds of them in stock, at least four. */
export function generateProducts(random: Random, nextId: () => string): Product[] {
  return CATALOGUE.map((spec) => {
    const all = random.shuffle(combinationsOf(spec));
    const chosen = all.slice(0, random.int(MIN_VARIANTS, MAX_VARIANTS));
    const variants = chosen.map(
      ({ options, cents }, place): Variant => ({
        item_id: nextId(),
        options,
        available: place < MIN_AVAILABLE || random.chance(0.45),
        price: toDollars(cents),
      }),
    );
    const shown = random.shuffle(variants);
    return {
      name: spec.name,
      product_id: nextId(),
      variants: Object.fromEntries(shown.map((variant) => [variant.item_id, variant])),
    };
  });
}
