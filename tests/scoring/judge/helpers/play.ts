import type { EpisodeRecord } from '../../../../src/episodes/index.js';
import type { RetailDomain, Task, ToolCall } from '../../../../src/retail/index.js';
import type { Random } from '../../../../src/shared/index.js';
import { type Telling, tell } from './tell.js';
import { askForYes, changePhrase, reportDone } from './wording.js';

export const FAULTS = [
  'wrong_item',
  'wrong_payment',
  'no_confirmation',
  'forgotten_step',
  'needless_write',
  'invented_tool',
  'early_end',
] as const;
export type Fault = (typeof FAULTS)[number];

export interface Played {
  readonly record: EpisodeRecord;
  /** The turn on which the fault was committed; null: flawless. */
  readonly fault: { readonly kind: Fault; readonly turn: number } | null;
}

const WRITES = /^(?:cancel|return|exchange|modify)_/;
const isWrite = (call: ToolCall): boolean => WRITES.test(call.name);

function pickOther<T>(random: Random, all: readonly T[], but: readonly T[]): T | null {
  const rest = all.filter((entry) => !but.includes(entry));
  return rest.length === 0 ? null : random.pick(rest);
}

/** The call with another item, replacement or payment method in it; null where the world has no other. */
function spoil(domain: RetailDomain, call: ToolCall, fault: Fault, random: Random): ToolCall | null {
  const args = call.arguments as Record<string, unknown>;
  const order = domain.world.orders.get(String(args.order_id));
  if (order === undefined) return null;
  if (fault === 'wrong_payment') {
    const methods = Object.keys(domain.world.users.get(order.user_id)?.payment_methods ?? {});
    const other = pickOther(random, methods, [String(args.payment_method_id)]);
    return typeof args.payment_method_id !== 'string' || other === null
      ? null
      : { name: call.name, arguments: { ...args, payment_method_id: other } };
  }
  const items = args.item_ids as string[] | undefined;
  const news = args.new_item_ids as string[] | undefined;
  if (items === undefined) return null;
  if (news !== undefined) {
    const place = random.int(0, news.length - 1);
    const product = [...domain.world.products.values()].find(
      (entry) => (news[place] ?? '') in entry.variants,
    );
    const variants = Object.values(product?.variants ?? {})
      .filter((variant) => variant.available)
      .map((variant) => variant.item_id);
    const other = pickOther(random, variants, [...news, ...items]);
    return other === null
      ? null
      : {
          name: call.name,
          arguments: { ...args, new_item_ids: news.map((id, at) => (at === place ? other : id)) },
        };
  }
  const other = pickOther(
    random,
    order.items.map((item) => item.item_id),
    items,
  );
  return other === null
    ? null
    : { name: call.name, arguments: { ...args, item_ids: items.map((id, at) => (at === 0 ? other : id)) } };
}

function needlessCall(domain: RetailDomain, task: Task, userId: string): ToolCall | null {
  const user = domain.world.users.get(userId);
  const touched = new Set(task.groundTruth.map((call) => call.arguments.order_id));
  for (const id of user?.orders ?? []) {
    const order = domain.world.orders.get(id);
    if (order === undefined || touched.has(id)) continue;
    if (order.status === 'pending')
      return { name: 'cancel_pending_order', arguments: { order_id: id, reason: 'no longer needed' } };
    if (order.status === 'delivered')
      return {
        name: 'return_delivered_order_items',
        arguments: {
          order_id: id,
          item_ids: order.items.slice(0, 1).map((item) => item.item_id),
          payment_method_id: order.payment_history[0]?.payment_method_id,
        },
      };
  }
  return null;
}

function identify(story: Telling, domain: RetailDomain, userId: string, random: Random): void {
  const user = domain.world.users.get(userId);
  if (user === undefined) throw new Error(`no user ${userId}`);
  story.agent(
    random.pick([
      'Happy to help. Could you give me your email, or your name and zip code?',
      'Sure! To verify your identity, please provide the email on the account.',
    ]),
  );
  if (random.chance(0.5)) {
    story.customer(`It's ${user.email}.`).call('find_user_id_by_email', { email: user.email });
  } else {
    const { first_name, last_name } = user.name;
    story
      .customer(`I don't have it at hand. ${first_name} ${last_name}, zip ${user.address.zip}.`)
      .call('find_user_id_by_name_zip', { first_name, last_name, zip: user.address.zip });
  }
  story.call('get_user_details', { user_id: userId });
}

function lookUp(story: Telling, domain: RetailDomain, call: ToolCall): void {
  const id = String(call.arguments.order_id ?? '');
  const order = domain.world.orders.get(id);
  if (order === undefined) return;
  story.call('get_order_details', { order_id: id });
  if (!Array.isArray(call.arguments.new_item_ids)) return;
  const products = new Set(
    order.items
      .filter((item) => (call.arguments.item_ids as string[]).includes(item.item_id))
      .map((item) => item.product_id),
  );
  for (const product of products) story.call('get_product_details', { product_id: product });
}

export interface PlayOptions {
  readonly fault: Fault | null;
  /** Whether a wrong thing is said before it is done. */
  readonly announced: boolean;
  readonly random: Random;
}

/**
 * Plays a task by its ground truth in one of many wordings, with at most one fault. Null when the task has no place
 * for the fault, or its ground truth cannot be carried out.
 */
export function play(
  domain: RetailDomain,
  task: Task,
  { fault, announced, random }: PlayOptions,
): Played | null {
  const gold = task.groundTruth.filter(isWrite);
  const dry = domain.openSession();
  if (task.groundTruth.some((call) => !dry.call(call.name, call.arguments).ok)) return null;
  const userId = task.userId ?? domain.world.orders.get(String(gold[0]?.arguments.order_id))?.user_id;
  if (
    userId === undefined ||
    gold.length === 0 ||
    task.groundTruth.some((call) => call.name.startsWith('transfer'))
  )
    return null;
  const options = gold.map((call) => spoil(domain, call, fault ?? 'early_end', random));
  const refused = options.some(
    (call) => call !== null && !domain.openSession().call(call.name, call.arguments).ok,
  );
  if (fault?.startsWith('wrong') && refused) return null;
  const places = gold.map((_, at) => at).filter((at) => !fault?.startsWith('wrong') || options[at] !== null);
  if (places.length === 0) return null;
  const place = random.pick(places);
  const extra = needlessCall(domain, task, userId);
  if (fault === 'needless_write' && extra === null) return null;
  const style = random.int(0, 3);
  const story = tell(domain, task);
  story.customer(
    `Hello! I have a few things about my orders. ${gold.map((call) => changePhrase(call, domain)).join(' And then ')}`,
  );
  identify(story, domain, userId, random);
  let turn = 0;
  const note = (): void => {
    if (turn === 0) turn = story.turn();
  };
  const perform = (right: ToolCall, wrong: ToolCall | null, confirm: boolean): void => {
    const said = wrong !== null && announced ? wrong : right;
    if (confirm) {
      story.agent(askForYes(said, domain, { style, userId }));
      if (wrong !== null && announced) note();
      story.customer(
        random.pick(['Yes, please.', 'Yes, go ahead.', 'That sounds right, yes.', 'Sure, please do that.']),
      );
    }
    story.call((wrong ?? right).name, { ...(wrong ?? right).arguments });
    if (wrong !== null || !confirm) note();
  };
  for (const [at, call] of gold.entries()) {
    const hit = at === place ? fault : null;
    if (hit === 'early_end') {
      if (random.chance(0.5)) lookUp(story, domain, call);
      const record = story.end('agent_stop');
      return { record, fault: { kind: 'early_end', turn: story.turn() } };
    }
    lookUp(story, domain, call);
    if (hit === 'invented_tool') {
      story.call(random.pick(['apply_discount', 'get_order_history', 'send_email']), {
        order_id: call.arguments.order_id,
      });
      note();
    }
    if (hit === 'forgotten_step') {
      story.agent(reportDone(call, style));
      note();
    } else {
      perform(call, hit?.startsWith('wrong') ? (options[at] ?? null) : null, hit !== 'no_confirmation');
      story.agent(reportDone(call, style));
    }
    if (at + 1 < gold.length)
      story.customer(random.pick(['Great. What about the other thing?', 'Thanks, and the next one?']));
  }
  if (fault === 'needless_write' && extra !== null) {
    story.customer('Thank you.');
    if (announced) {
      story.agent(askForYes(extra, domain, { style, userId }));
      note();
      story.customer('Yes, fine.');
    }
    story.call(extra.name, { ...extra.arguments });
    note();
    story.agent('All done. Is there anything else I can help you with?');
  }
  const record = story.customer("No, that's all. Bye!", 'stop').end('customer_stop');
  return { record, fault: fault === null ? null : { kind: fault, turn } };
}
