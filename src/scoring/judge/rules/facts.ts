import type { EpisodeTurn } from '../../turns.js';
import { fold } from '../reading/folding.js';

export interface ItemFact {
  readonly id: string;
  readonly product: string | null;
  /** Option values by option name, folded. */
  readonly options: ReadonlyMap<string, string>;
}
export interface PaymentFact {
  readonly id: string;
  readonly source: string;
  readonly lastFour: string | null;
  readonly brand: string | null;
}
interface OrderFact {
  readonly id: string;
  readonly userId: string | null;
  /** The method the order was first paid with. */
  readonly paidBy: string | null;
  readonly items: readonly string[];
  /** Status when it was first seen, before anything was done to it. */
  readonly status: string;
}

/** What tool results have told by the end of an episode: enough to recognise things that are named without their id. */
export interface Facts {
  readonly items: ReadonlyMap<string, ItemFact>;
  readonly payments: ReadonlyMap<string, PaymentFact>;
  readonly orders: ReadonlyMap<string, OrderFact>;
}

interface Gathering {
  items: Map<string, ItemFact>;
  payments: Map<string, PaymentFact>;
  orders: Map<string, OrderFact>;
}

type JsonRecord = Readonly<Record<string, unknown>>;

const MAX_RESULT_CHARACTERS = 200_000;
const MAX_DEPTH = 8;

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Most variants of a product are never spoken of, so their options are folded when they are first looked at. */
function itemFact(id: string, product: string | null, raw: JsonRecord): ItemFact {
  let options: ReadonlyMap<string, string> | undefined;
  return {
    id,
    product,
    get options() {
      options ??= new Map(Object.entries(raw).map(([name, option]) => [fold(name), fold(String(option))]));
      return options;
    },
  };
}

function gatherItem(value: JsonRecord, product: string | null, into: Gathering): void {
  const id = textOf(value.item_id);
  if (id === null || !isRecord(value.options)) return;
  const name = textOf(value.name)?.toLowerCase() ?? product ?? into.items.get(id)?.product ?? null;
  into.items.set(id, itemFact(id, name, value.options));
}

function gatherPayment(value: JsonRecord, into: Gathering): void {
  const id = textOf(value.id);
  const source = textOf(value.source);
  if (id === null || source === null) return;
  into.payments.set(id, {
    id,
    source: fold(source).replaceAll('_', ' '),
    lastFour: textOf(value.last_four),
    brand: textOf(value.brand)?.toLowerCase() ?? null,
  });
}

function gatherOrder(value: JsonRecord, into: Gathering): void {
  const id = textOf(value.order_id);
  // What is seen first is how things stood; later results are what the agent made of it.
  if (id === null || !Array.isArray(value.items) || into.orders.has(id)) return;
  const history: unknown[] = Array.isArray(value.payment_history) ? value.payment_history : [];
  const first = history.find(isRecord);
  into.orders.set(id, {
    id,
    userId: textOf(value.user_id),
    paidBy: textOf(first?.payment_method_id),
    status: textOf(value.status) ?? '',
    items: value.items.filter(isRecord).flatMap((item) => textOf(item.item_id) ?? []),
  });
}

function gather(value: unknown, product: string | null, into: Gathering, depth = 0): void {
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (const entry of value) gather(entry, product, into, depth + 1);
    return;
  }
  if (!isRecord(value)) return;
  gatherItem(value, product, into);
  gatherPayment(value, into);
  gatherOrder(value, into);
  // A product's name stands above its variants.
  const named = isRecord(value.variants) ? (textOf(value.name)?.toLowerCase() ?? null) : product;
  for (const entry of Object.values(value))
    if (typeof entry === 'object') gather(entry, named, into, depth + 1);
}

/** Reads every successful result that is JSON; the rest, and whatever is too large or too deep, tells nothing. */
export function gatherFacts(turns: readonly EpisodeTurn[]): Facts {
  const into: Gathering = { items: new Map(), payments: new Map(), orders: new Map() };
  for (const turn of turns) {
    if (turn.kind !== 'call' || turn.ok !== true || turn.content === null) continue;
    if (turn.content.length > MAX_RESULT_CHARACTERS || !/^\s*[[{]/.test(turn.content)) continue;
    try {
      gather(JSON.parse(turn.content), null, into);
    } catch {
      // Not JSON after all.
    }
  }
  return into;
}
