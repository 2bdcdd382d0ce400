/** What customers say, in words that a listener of everyday English knows. */
export const LINES = [
  'I would like to exchange the keyboard for another one.',
  'Please send the refund to my credit card.',
  'The water bottle that came yesterday is broken.',
  'My wife told me that the blue one is much better.',
  'Can you tell me how much money I will get back?',
  'Yes, please go on and return all of them.',
];
