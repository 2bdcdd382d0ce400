import { createRandom, deriveSeed } from '../shared/index.js';
import type { CustomerFactory, CustomerLine } from '../user/index.js';
import { hasBox } from './extract-answer.js';

const NAME = 'maths/1';
/** Messages without a box that are answered by asking for it. */
const REMINDERS = 3;

const ASK = [
  'Go on. Please put your final answer in \\boxed{}.',
  'I need one whole number in the end, in \\boxed{}.',
  'What is your final answer? Please write it in \\boxed{}.',
];
const THANKS = ['Thank you.', 'Thanks.', 'Thanks, that is all.'];

/**
 * Customers who pose the problem of their brief, ask for the answer while there is none in a box, and leave once there is.
 * Whether it is right they do not know. Same seed and agent texts, same lines.
 */
export function createMathsCustomers(): CustomerFactory {
  return {
    name: NAME,
    create: ({ instruction }, seed) => {
      const random = createRandom(deriveSeed('maths customer', seed));
      let asked = 0;
      return {
        name: NAME,
        open: async () => ({ text: instruction }),
        reply: async (agentText): Promise<CustomerLine> => {
          if (hasBox(agentText) || asked >= REMINDERS) return { text: random.pick(THANKS), end: 'stop' };
          asked += 1;
          return { text: random.pick(ASK) };
        },
      };
    },
  };
}
