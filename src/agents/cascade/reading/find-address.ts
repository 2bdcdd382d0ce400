import type { Address, Shop } from '../shop.js';
import type { Request } from './request.js';

const STATE_ZIP = String.raw`([A-Z]{2}),? (\d{5})`;
const UNIT = String.raw`(?:((?:Apartment|Apt|Suite|Unit|Ste)\.? #?\w+), )?`;
const ADDRESS = new RegExp(String.raw`(\d{1,5} [A-Z][\w' ]+?), ${UNIT}([A-Z][A-Za-z .'-]+?), ${STATE_ZIP}`);
const HOME = /\b(?:home address|(?:one|address) in my profile|default address)\b/i;
const SAME = /\b(?:there too|same (?:new )?(?:address|one|place)|new address as well|there as well)\b/i;

/** The address a request names. `last`: the one that was written before, for "the same new address". */
export function findAddress(request: Request, shop: Shop, last: Address | null): Address | null {
  for (const turn of request.turns) {
    const found = ADDRESS.exec(turn);
    if (found !== null) {
      const [, address1 = '', address2 = '', city = '', state = '', zip = ''] = found;
      return { address1, address2, city, state, zip, country: 'USA' };
    }
    if (SAME.test(turn) && last !== null) return last;
    if (request.kind === 'order_address' && HOME.test(turn) && shop.user !== null) return shop.user.address;
  }
  return null;
}

export function addressLine({ address1, address2, city, state, zip }: Address): string {
  return [address1, address2, city, `${state} ${zip}`].filter((part) => part !== '').join(', ');
}
