import type { ScenarioRequest, Task } from '../../retail/index.js';
import type { Random } from '../../shared/index.js';

/** Whether a task can be made simple without changing what is right: one request, no change of mind. */
export function isSimple({ scenario }: Task): boolean {
  return scenario?.requests.length === 1 && scenario.requests[0]?.change === undefined;
}

function tellsAll(request: ScenarioRequest): ScenarioRequest {
  const facts = request.facts.map(({ say }) => say);
  return { ...request, say: [request.say, ...facts.filter((fact) => !request.say.includes(fact))].join(' ') };
}

/**
 * A warm-up task: the customer tells every fact with the request, and the instruction says so. The right calls stay the same.
 * @returns null for a task that cannot be made simple
 */
export function simplifyTask(task: Task): Task | null {
  if (!isSimple(task) || task.scenario === undefined) return null;
  return {
    ...task,
    id: `${task.id}-simple`,
    instruction: `${task.instruction} Tell the agent everything it needs at once: who you are, what you want and every detail.`,
    scenario: { ...task.scenario, style: 'plain', requests: task.scenario.requests.map(tellsAll) },
    tags: [...task.tags, 'simplified'],
  };
}

/** What a customer says who keeps the matter for later, by goal. */
const VAGUE: Readonly<Record<ScenarioRequest['goal'], readonly string[]>> = {
  cancel_order: ["There's an order I don't want any more.", 'I need to stop something I ordered.'],
  return_items: ['Something I got has to go back.', "I'm not happy with a thing you delivered."],
  exchange_items: [
    'I got something and would like another version of it.',
    'I want to swap a thing I received.',
  ],
  modify_items: [
    "I'd like something in my order to be different.",
    'I chose the wrong version of something.',
  ],
  modify_order_address: [
    'An order of mine is going to the wrong place.',
    'My parcel should go somewhere else.',
  ],
  modify_order_payment: ["I'd rather pay for an order some other way.", 'There is a thing about how I paid.'],
  modify_profile_address: ['I have moved.', 'Your records of me are out of date.'],
  ask: ['I have a question.', 'I wanted to ask you something.'],
};

/** Whether there is something that a customer could keep for later. A question has no other place to be told. */
export function canHarden({ scenario }: Task): boolean {
  return scenario?.requests.some(({ goal, facts }) => goal !== 'ask' && facts.length > 0) === true;
}

/**
 * A harder rewrite, by rule: every request begins vaguely and its facts come out only when the agent asks for them; the
 * manner changes too. What is right stays the same. A question keeps its words, for it has no other place to be told.
 * @returns null where nothing could be made harder
 */
export function hardenTask(task: Task, random: Random): Task | null {
  const { scenario } = task;
  if (scenario === undefined || !canHarden(task)) return null;
  const requests = scenario.requests.map((request) =>
    request.goal === 'ask' || request.facts.length === 0
      ? request
      : {
          ...request,
          say: random.pick(VAGUE[request.goal]),
          // What the request said in its own words is told when the agent asks what exactly is wanted.
          facts: request.facts.some(({ slot }) => slot === 'detail')
            ? request.facts
            : [...request.facts, { slot: 'detail' as const, say: request.say }],
        },
  );
  return {
    ...task,
    id: `${task.id}-harder`,
    instruction: `${task.instruction} Begin vaguely and say details only when you are asked for them.`,
    scenario: { ...scenario, style: random.pick(['terse', 'chatty'] as const), requests },
    tags: [...task.tags, 'harder'],
  };
}
