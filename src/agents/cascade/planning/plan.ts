import type { Kind, Request } from '../reading/request.js';
import { planOrderAddress, planProfileAddress } from './address.js';
import { planCancel } from './cancel.js';
import { planReturn } from './give-back.js';
import { planPayment } from './payment.js';
import { planQuestion } from './question.js';
import { planReplace } from './replace.js';
import { ask, type Desk, type Planner, refuse, type Step } from './step.js';

const PLANNERS: Record<Kind, Planner> = {
  cancel: planCancel,
  return: planReturn,
  replace: planReplace,
  order_address: planOrderAddress,
  profile_address: planProfileAddress,
  payment: planPayment,
  question: planQuestion,
  hand_over: (request) => ({ kind: 'hand_over', summary: `The customer said: ${request.all}` }),
  unclear: () => ask('more'),
};

const MOST_ASKED = 3;

/** The next step for a request. What was asked for again and again without an answer is given up. */
export function planStep(request: Request, desk: Desk): Step {
  const step = PLANNERS[request.kind](request, desk);
  if (step.kind === 'ask' && (request.asked.get(step.slot) ?? 0) >= MOST_ASKED)
    return refuse('I am sorry, but I did not understand what you want, so I cannot do that for you.');
  return step;
}
