import type { RetailDomain } from '../../src/retail/index.js';
import { toCustomerBrief } from '../../src/retail/index.js';
import { type Customer, type CustomerLine, createScriptedCustomers } from '../../src/user/index.js';
import type { ModelAnswer } from './strict-chat-answer.js';
import type { SeenRequest } from './strict-chat-server.js';

const CALLS = { stop: 'done', transfer: 'transferred', out_of_scope: 'out_of_scope' } as const;

/** A model that plays customers well: the scripted customer, speaking in the three-line form. Knows task and seed by the scope. */
export function customerChatPolicy(domain: RetailDomain): (request: SeenRequest) => Promise<ModelAnswer> {
  const customers = new Map<string, { customer: Customer; lines: CustomerLine[] }>();
  return async ({ session, messages }) => {
    const [, task, seed] = /^customer\.(.*)\.(?:speech|text)\.(\d+)$/.exec(decodeURIComponent(session)) ?? [];
    const brief = domain.tasks.find(({ id }) => id === task);
    if (brief === undefined) throw new RangeError(`no customer for ${session}`);
    let mind = customers.get(session);
    if (mind === undefined || messages.length === 2) {
      mind = { customer: createScriptedCustomers().create(toCustomerBrief(brief), Number(seed)), lines: [] };
      customers.set(session, mind);
    }
    const said =
      messages
        .at(-1)
        ?.parts.map((part) => ('text' in part ? part.text : ''))
        .join('') ?? '';
    const line = await (messages.length === 2 ? mind.customer.open() : mind.customer.reply(said));
    const call = line.end === undefined ? 'stay' : CALLS[line.end];
    return { content: `Thought: I am a customer with a SECRET plan.\nSay: ${line.text}\nCall: ${call}` };
  };
}
