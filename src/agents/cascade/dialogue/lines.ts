import type { Slot } from '../planning/step.js';

/** What the agent asks, in other words each time: somebody who did not get it the first time may the second. */
const QUESTIONS: Record<Slot, readonly string[]> = {
  order: [
    'Which order is it? Please tell me the order number, or what is in it.',
    'I could not find that order. Which order number is it, please?',
    'Sorry, what is the order number again?',
  ],
  items: [
    'Which items is it about?',
    'Sorry, which items do you mean?',
    'Please tell me the names of the items.',
  ],
  options: [
    'Which options would you like for the new one?',
    'Sorry, which new options would you like instead?',
    'Please tell me which options the new one should have, for example color or size.',
  ],
  payment: [
    'Which payment method would you like to use?',
    'Sorry, which payment method is it?',
    'Please tell me the payment method once more.',
  ],
  refund: [
    'To which payment method should the refund go?',
    'Sorry, which payment method is the refund for?',
    'Please tell me the payment method for the refund.',
  ],
  reason: ['What is the reason for that?', 'Sorry, what is the reason?', 'Please tell me the reason.'],
  address: [
    'What is the new address?',
    'Sorry, what is the new address, from the street to the state?',
    'Please tell me the new address once more.',
  ],
  more: [
    'Can you say a little more about that?',
    'Which items is it about, and what is to happen with them?',
    'Sorry, what is it that you wish for?',
  ],
};

const IDENTITY = [
  'Hello, I am happy to help. To find your account, please tell me your email address, or your first name, last name and zip code.',
  'I could not find an account with that. Please tell me your first name, last name and zip code.',
  'Sorry, I still cannot find you. Please tell me your email address once more.',
  'I am sorry. Please tell me your full name and your zip code once more.',
];

export const ASK_YES = 'Do you confirm (yes/no)?';
export const ANYTHING_ELSE = 'Is there anything else I can help you with?';
export const GOODBYE = 'Thank you for calling. Goodbye.';
export const NO_ACCOUNT = 'I am sorry, but without finding your account I cannot help you. Goodbye.';
export const HAND_OVER = 'I am connecting you to a colleague. Please stay on the line.';

export function questionFor(slot: Slot, times: number): string {
  const forms = QUESTIONS[slot];
  return forms[Math.min(times, forms.length - 1)] ?? '';
}

/** Null: it was asked often enough. */
export function identityQuestion(times: number): string | null {
  return IDENTITY[times] ?? null;
}

export const LEADS = ['Let me say it once more: ', 'As I said: ', 'Again: '];
