import type { CustomerBrief, Scenario } from '../../../src/retail/index.js';

type Request = Scenario['requests'][number];

export const LAMP_RETURN: Request = {
  id: 'return-lamp',
  goal: 'return_items',
  say: 'I want to return the desk lamp I received.',
  raised: 'opening',
  facts: [
    { slot: 'order_id', say: 'It is order #W1111111.' },
    { slot: 'payment', say: 'Please refund it to my PayPal account.' },
    { slot: 'reason', say: 'It flickers.' },
  ],
  about: ['#w1111111', 'desk lamp'],
  mismatches: [
    { phrase: 'gift card', unless: ['paypal'], say: 'No, please use PayPal.' },
    { phrase: 'backpack', unless: ['desk lamp'], say: 'No, not the backpack. I mean the desk lamp.' },
  ],
  expected: 'done',
};

export const KETTLE_CANCEL: Request = {
  id: 'cancel-kettle',
  goal: 'cancel_order',
  say: 'Please cancel my order with the kettle.',
  raised: 'after_previous',
  facts: [{ slot: 'reason', say: 'I ordered it by mistake.' }],
  about: ['#w2222222', 'kettle'],
  mismatches: [{ phrase: 'no longer needed', unless: ['by mistake'], say: 'No, I ordered it by mistake.' }],
  expected: 'done',
};

export const MUG_EXCHANGE: Request = {
  id: 'exchange-mug',
  goal: 'exchange_items',
  say: 'I want to exchange my mug for a red one.',
  raised: 'opening',
  facts: [{ slot: 'new_options', say: 'Red, please.' }],
  about: ['#w3333333', 'mug'],
  mismatches: [{ phrase: 'green', unless: ['red'], say: 'No, red, not green.' }],
  change: {
    say: 'Actually, make that a blue mug.',
    facts: [{ slot: 'new_options', say: 'Blue, please.' }],
    about: ['#w3333333', 'mug'],
    mismatches: [{ phrase: 'red', unless: ['blue'], say: 'No, blue, not red.' }],
  },
  expected: 'done',
};

export const BALANCE_QUESTION: Request = {
  id: 'ask-balance',
  goal: 'ask',
  say: 'What is the balance of my gift card?',
  raised: 'opening',
  facts: [],
  about: ['balance', 'gift card'],
  mismatches: [],
  expected: 'answered',
};

export function briefOf(requests: readonly Request[], over: Partial<Scenario> = {}): CustomerBrief {
  return {
    taskId: 'made-1',
    instruction: '',
    scenario: {
      identity: { firstName: 'Ada', lastName: 'Berg', zip: '12345', email: null },
      style: 'plain',
      requests: [...requests],
      ...over,
    },
  };
}

export function proseBrief(
  reasonForCall: string,
  over: Partial<NonNullable<CustomerBrief['parts']>> = {},
): CustomerBrief {
  return {
    taskId: 'prose-1',
    instruction: reasonForCall,
    parts: {
      reasonForCall,
      knownInfo: 'You are Ada Berg in zip code 12345.',
      unknownInfo: 'You do not remember your email.',
      taskInstructions: '.',
      ...over,
    },
  };
}
