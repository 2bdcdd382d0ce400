import type { ScenarioRequest, Task, ToolCall, User, World } from '../../retail/index.js';

/** How the customer can be found, when the ground truth does not say it. */
interface OracleUserHints {
  readonly email?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly zip?: string | undefined;
}

/** A request that must be refused, in words the customer knows it by. */
interface OracleRefusal {
  /** Said before the write of this number (0-based); the number of writes: at the end. */
  readonly beforeWrite: number;
  /** e.g. "return what you asked for (desk lamp)". */
  readonly deed: string;
}

/** All that an oracle is told about a task: plain data, handed in by whoever runs it. */
export interface OracleKnowledge {
  readonly groundTruth: readonly ToolCall[];
  /** Strings that must be said to the customer. */
  readonly communicate: readonly string[];
  readonly userHints?: OracleUserHints | undefined;
  readonly refusals?: readonly OracleRefusal[] | undefined;
  /** Messages that settle the requests before the one that calls for a hand-over, so that it gets raised. */
  readonly roundsBeforeHandOver?: number | undefined;
}

const WRITES_OF_GOAL: Record<ScenarioRequest['goal'], readonly string[]> = {
  cancel_order: ['cancel_pending_order'],
  return_items: ['return_delivered_order_items'],
  exchange_items: ['exchange_delivered_order_items'],
  modify_items: ['modify_pending_order_items'],
  modify_order_address: ['modify_pending_order_address'],
  modify_order_payment: ['modify_pending_order_payment'],
  modify_profile_address: ['modify_user_address'],
  ask: [],
};

const VERB_OF_GOAL: Record<ScenarioRequest['goal'], string> = {
  cancel_order: 'cancel',
  return_items: 'return',
  exchange_items: 'exchange',
  modify_items: 'modify',
  modify_order_address: 'change the shipping address of',
  modify_order_payment: 'change the payment method of',
  modify_profile_address: 'change the default address of',
  ask: 'do',
};

/** Names a request by words the customer used for it. */
function deedOf({ goal, about, say }: ScenarioRequest): string {
  const used = about.filter((words) => say.toLowerCase().includes(words.toLowerCase()));
  const named = (used.length > 0 ? used : about.slice(0, 1)).map((words) => words.replace(/^#w/, '#W'));
  return `${VERB_OF_GOAL[goal]} what you asked for (${named.join(', ')})`;
}

function roundsBeforeHandOver(task: Task): number {
  const requests = task.scenario?.requests ?? [];
  const place = requests.findIndex(
    ({ expected, raised }) => expected === 'transferred' && raised === 'after_previous',
  );
  if (place < 1) return 0;
  const talked = requests
    .slice(0, place)
    .filter(({ expected }) => expected === 'answered' || expected === 'refused');
  return talked.length + (task.groundTruth.some(isWrite) ? 1 : 0);
}

export function isWrite(call: ToolCall): boolean {
  return /^(?:cancel|exchange|modify|return)_/.test(call.name);
}

/** Walks requests and ground-truth writes side by side, to find out before which write each refusal belongs. */
function refusalsOf(task: Task): OracleRefusal[] {
  const writes = task.groundTruth.filter(isWrite);
  const refusals: OracleRefusal[] = [];
  let next = 0;
  for (const request of task.scenario?.requests ?? []) {
    if (request.expected === 'refused') {
      refusals.push({ beforeWrite: next, deed: deedOf(request) });
      continue;
    }
    const names = WRITES_OF_GOAL[request.goal];
    while (names.includes(writes[next]?.name ?? '')) next += 1;
  }
  return refusals;
}

/** Only what the customer can say as well: an email it does not remember is no way to find it. */
function hintsOf(task: Task, user: User): OracleUserHints {
  const said = `${task.instruction} ${Object.values(task.parts ?? {}).join(' ')}`.toLowerCase();
  const knowsEmail =
    task.scenario === undefined
      ? said.includes(user.email.toLowerCase())
      : task.scenario.identity.email !== null;
  if (knowsEmail) return { email: user.email };
  return { firstName: user.name.first_name, lastName: user.name.last_name, zip: user.address.zip };
}

/** Takes from a task and its world what an oracle may know. The oracle itself sees neither. */
export function oracleKnowledge(task: Task, world: World): OracleKnowledge {
  const owners = task.groundTruth.map(({ arguments: { order_id: id } }) =>
    typeof id === 'string' ? world.orders.get(id)?.user_id : undefined,
  );
  const userId = task.userId ?? owners.find((owner) => owner !== undefined);
  const user = userId === undefined ? undefined : world.users.get(userId);
  return {
    groundTruth: task.groundTruth,
    communicate: task.communicate,
    userHints: user === undefined ? undefined : hintsOf(task, user),
    refusals: refusalsOf(task),
    roundsBeforeHandOver: roundsBeforeHandOver(task),
  };
}
