import type { Scenario, ScenarioRequest, Task, ToolCall } from '../../task.js';
import { CONFIRMATION_STYLES, describeAct } from './confirmations.js';
import { mentions } from './mentions.js';
import { call, type PlanContext, type RequestPlan } from './request-plan.js';

type Mismatch = ScenarioRequest['mismatches'][number];

/** Everything an agent may rightly read back in a task, by request. */
function rightTexts(context: PlanContext, plan: RequestPlan): string[] {
  return CONFIRMATION_STYLES.flatMap((style) => {
    const acts = plan.acts.flatMap((act) => describeAct(context.world, act, style) ?? []);
    return acts.length > 1 ? [...acts, acts.join('; ')] : acts;
  });
}

export function isObjection({ phrase, unless }: Pick<Mismatch, 'phrase' | 'unless'>, text: string): boolean {
  return mentions(text, phrase) && !unless.some((word) => mentions(text, word));
}

/** Leaves out what would make the customer object to a right action, of this request or of another one. */
function keepFair(
  mismatches: readonly Mismatch[],
  facts: {
    readonly own: readonly string[];
    readonly others: readonly string[];
    readonly about: readonly string[];
  },
): Mismatch[] {
  const heard = facts.others.filter((text) => facts.about.some((word) => mentions(text, word)));
  return mismatches.filter(
    (mismatch) => ![...facts.own, ...heard].some((text) => isObjection(mismatch, text)),
  );
}

function toRequest(
  context: PlanContext,
  plans: readonly RequestPlan[],
  place: { readonly index: number; readonly raised: ScenarioRequest['raised'] },
): ScenarioRequest {
  const plan = plans[place.index] as RequestPlan;
  const own = rightTexts(context, plan);
  const others = plans.filter((other) => other !== plan).flatMap((other) => rightTexts(context, other));
  const { goal, say, facts, change, expected } = plan;
  const fair = (wish: Pick<ScenarioRequest, 'about' | 'mismatches'>) =>
    keepFair(wish.mismatches, { own, others, about: [...wish.about, ...plan.about] });
  return {
    id: `request-${place.index + 1}`,
    goal,
    say,
    raised: place.raised,
    facts: [...facts],
    about: [...plan.about],
    mismatches: change === undefined ? fair(plan) : [],
    ...(change !== undefined && { change: { ...change, mismatches: fair(change) } }),
    expected,
  };
}

const STYLE_PROSE: Record<Scenario['style'], readonly string[]> = {
  terse: ['You are short of words.', 'You speak in short sentences.', 'You are in a hurry and say little.'],
  plain: ['You are polite and to the point.', 'You speak plainly.', 'You are calm and friendly.'],
  chatty: [
    'You are talkative and cheerful.',
    'You like to chat a little.',
    'You are warm and use many words.',
  ],
};
const CONNECTORS = ['Once that is settled, ', 'After that, ', 'When that has been dealt with, '];

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

function connect(context: PlanContext, prose: string, raised: ScenarioRequest['raised']): string {
  if (prose.startsWith('When that')) return prose;
  if (raised === 'opening') return `You also say this right away: ${lowerFirst(prose)}`;
  if (prose.startsWith('At first')) return `Then you have another request. ${prose}`;
  return `${context.random.pick(CONNECTORS)}${lowerFirst(prose)}`;
}

function instructionOf(
  context: PlanContext,
  facts: {
    readonly email: string | null;
    readonly plans: readonly RequestPlan[];
    readonly raised: readonly ScenarioRequest['raised'][];
  },
): string {
  const { random, user, style } = context;
  const name = `${user.name.first_name} ${user.name.last_name}`;
  const who = random.pick([
    `You are ${name} and your zip code is ${user.address.zip}.`,
    `Your name is ${name}, and you live in zip code ${user.address.zip}.`,
    `You are ${name}, from zip code ${user.address.zip}.`,
  ]);
  const email =
    facts.email === null
      ? 'You do not remember your email address.'
      : `Your email address is ${facts.email}.`;
  const wishes = facts.plans.map(({ prose }, index) =>
    index === 0 ? prose : connect(context, prose, facts.raised[index] ?? 'after_previous'),
  );
  return [who, email, random.pick(STYLE_PROSE[style]), ...wishes].join(' ');
}

function identify({ user }: PlanContext, email: string | null): ToolCall {
  return email === null
    ? call('find_user_id_by_name_zip', { ...user.name, zip: user.address.zip })
    : call('find_user_id_by_email', { email });
}

function groundTruthOf(
  context: PlanContext,
  email: string | null,
  plans: readonly RequestPlan[],
): ToolCall[] {
  const seen = new Set<string>();
  const steps = plans.flatMap(({ reads, acts }) => [
    ...reads.filter((read) => {
      const key = JSON.stringify(read);
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    }),
    ...acts,
  ]);
  const profile = plans.some((plan) => plan.needsUser)
    ? [call('get_user_details', { user_id: context.userId })]
    : [];
  return [identify(context, email), ...profile, ...steps];
}

function difficultyOf(plans: readonly RequestPlan[]): Task['difficulty'] {
  const points = plans.reduce((sum, plan) => sum + plan.points, plans.length - 1);
  return points <= 2 ? 'easy' : points <= 5 ? 'medium' : 'hard';
}

/** May the request be raised in one breath with the one before? Only where both stand on their own. */
function canOpen(plan: RequestPlan): boolean {
  return (
    plan.expected === 'done' &&
    plan.change === undefined &&
    !plan.tags.some((tag) => tag === 'vague' || tag === 'move')
  );
}

/** A task from the requests of one customer, in their order; `groundTruth`, prose and scenario say the same thing. */
export function composeTask(
  context: PlanContext,
  plans: readonly RequestPlan[],
  labels: { readonly id: string; readonly split: string },
): Task {
  const { random, user, userId, style } = context;
  const email = random.chance(0.65) ? user.email : null;
  const together = plans.slice(0, 2).every(canOpen) && random.chance(0.3);
  const raised = plans.map((_, index) =>
    index === 0 || (index === 1 && together) ? 'opening' : 'after_previous',
  );
  const communicate = [...new Set(plans.flatMap((plan) => plan.communicate))];
  const tags = new Set([
    ...plans.map((plan) => plan.kind),
    ...plans.flatMap((plan) => plan.tags),
    ...(plans.length > 1 ? ['multi-request'] : []),
    ...(email === null ? ['email-forgotten'] : []),
  ]);
  return {
    id: labels.id,
    splits: [labels.split],
    instruction: instructionOf(context, { email, plans, raised }),
    scenario: {
      identity: {
        firstName: user.name.first_name,
        lastName: user.name.last_name,
        zip: user.address.zip,
        email,
      },
      style,
      requests: plans.map((_, index) =>
        toRequest(context, plans, { index, raised: raised[index] ?? 'after_previous' }),
      ),
    },
    userId,
    groundTruth: groundTruthOf(context, email, plans),
    communicate,
    assertions: [],
    rewardBasis: communicate.length > 0 ? ['DB', 'COMMUNICATE'] : ['DB'],
    difficulty: difficultyOf(plans),
    tags: [...tags],
  };
}
