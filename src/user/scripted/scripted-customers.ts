import type { CustomerBrief } from '../../retail/index.js';
import type { Customer, CustomerFactory, CustomerLine } from '../customer.js';
import { CustomerFailedError } from '../errors.js';
import { ProseCustomer } from './prose/prose-customer.js';
import { ScenarioCustomer } from './scenario/scenario-customer.js';

/** Changes when the same agent text can get another answer: records with other customers are not comparable. */
const NAME = 'scripted/1';

/** Keeps the order of a call: opened once, answered until it has hung up. */
function guard(inner: Omit<Customer, 'name'>, taskId: string): Customer {
  let state: 'new' | 'talking' | 'over' = 'new';
  const expect = (wanted: typeof state, doing: string): void => {
    if (state !== wanted)
      throw new CustomerFailedError(`the customer of task ${taskId} cannot ${doing}: the call is ${state}`, {
        facts: { taskId, state },
      });
  };
  const checked = (line: CustomerLine): CustomerLine => {
    if (line.text.trim() === '' && line.end === undefined)
      throw new CustomerFailedError(
        `the customer of task ${taskId} has nothing to say; its brief may be empty`,
        { facts: { taskId } },
      );
    if (line.end !== undefined) state = 'over';
    return line;
  };
  return {
    name: NAME,
    open: async () => {
      expect('new', 'open again');
      state = 'talking';
      return checked(await inner.open());
    },
    reply: async (agentText) => {
      expect('talking', 'answer');
      return checked(await inner.reply(agentText));
    },
  };
}

function createCustomer(brief: CustomerBrief, seed: number): Customer {
  const { scenario, taskId } = brief;
  const inner =
    scenario === undefined ? new ProseCustomer(brief, seed) : new ScenarioCustomer(scenario, seed);
  return guard(inner, taskId);
}

/**
 * Customers that follow rules, offline and deterministic: same brief, seed and agent texts, same lines. Briefs with a
 * structured scenario are played from it; those with prose only are read by rules (see docs/customer.md for the limits).
 */
export function createScriptedCustomers(): CustomerFactory {
  return { name: NAME, create: createCustomer };
}
