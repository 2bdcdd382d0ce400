import type { RecordEvent } from '../../../../src/episodes/index.js';
import type { Random } from '../../../../src/shared/index.js';

/** The same things in other words. `$1`: what the oracle's own sentence was about. */
export interface Phrases {
  readonly ask: readonly string[];
  readonly yes: readonly string[];
  readonly anythingElse: readonly string[];
  readonly refuse: readonly string[];
  readonly cancelled: readonly string[];
  readonly bye: readonly string[];
}

/** Words that the judge's patterns were looked at with. */
export const SEEN: Phrases = {
  ask: [
    'Right, the plan is to $1. Happy for me to press the button?',
    'Got it. I would $1. Are we agreed?',
    'Let me read it back: $1. Do I have your blessing?',
    'Very well, I would now $1. Give me the green light and it is done.',
    'One last check before I commit this: $1. Thumbs up?',
    'So: $1. Does that suit you?',
  ],
  yes: [
    'By all means.',
    'Indeed, carry on.',
    'Spot on.',
    'Green light from me.',
    'You bet.',
    'Works for me, cheers.',
  ],
  anythingElse: [
    'What more may I do for you today?',
    'Was there more on your list?',
    'How else may I be of service?',
  ],
  refuse: [
    'I have to turn that down: our rules leave me no room to $1.',
    'Our policy rules out that I $1, so that stays as it is.',
  ],
  cancelled: ['Order $1 is off the books now.', 'Consider order $1 cancelled.'],
  bye: ['Nothing more from my side. Cheerio.', 'I am all set. So long!'],
};

/** Words kept apart: nothing in src was changed after they were first tried. */
export const HELD_OUT: Phrases = {
  ask: [
    'Understood. What I have down is: $1. Am I free to run that?',
    'My next step would be to $1. Say the word and I start.',
    'Then I am about to $1. Objections, or is that a deal?',
    'Here is my proposal: $1. Do you want it done that way?',
    'For the record: $1. May that be carried out now?',
    'I have it ready: $1. Your verdict?',
  ],
  yes: [
    'Be my guest.',
    'That is a deal.',
    'Sure thing, do it.',
    'Ay, run it.',
    'Sounds like a plan.',
    'Yep, all of that.',
  ],
  anythingElse: [
    'Do you have other business with us?',
    'Shall we look at another matter?',
    'Can I be useful in some other way?',
  ],
  refuse: [
    'That is a no from us, I fear: to $1 is off limits.',
    'There is no way for me to $1, the house rules forbid it.',
  ],
  cancelled: [
    'Order $1 will not be shipped; it has been called off.',
    'You can forget about order $1, it is gone.',
  ],
  bye: ['We are through, then. Until next time.', 'No more wishes. Ta-ta.'],
};

const REQUEST =
  /(?:Thank you\. Here is|Next, here is) what I am going to do: ([\s\S]+?)\. Do you confirm \(yes\/no\)\?|Before we finish, I am going to ([\s\S]+?)\. Do you confirm \(yes\/no\)\?/g;

/** Rewords an episode: the agent's requests, refusals and closings, the customer's yes and goodbye. All else stays. */
export function paraphrase(events: readonly RecordEvent[], phrases: Phrases, random: Random): RecordEvent[] {
  const fill = (list: readonly string[], about = ''): string => random.pick(list).replace('$1', () => about);
  return events.map((event) => {
    if (event.type === 'agent')
      return {
        ...event,
        text: event.text
          .replace(REQUEST, (_, plan: string | undefined, last: string | undefined) =>
            fill(phrases.ask, plan ?? last),
          )
          .replace(/Is there anything else I can help you with\?/g, () => fill(phrases.anythingElse))
          .replace(
            /I am sorry, but I cannot ([^.:]+?(?:\([^)]*\))?): it is not possible under our policy\./g,
            (_, deed: string) => fill(phrases.refuse, deed),
          )
          .replace(/I have cancelled order (#W\d+)\./g, (_, order: string) => fill(phrases.cancelled, order)),
      };
    if (event.type !== 'customer') return event;
    if (event.end !== null) return { ...event, text: fill(phrases.bye) };
    // Only a plain yes: one that goes on with a wish of its own keeps its words.
    return /^Yes(?:, (?:please do that|that is exactly right, please go ahead|that is right|please go ahead|go ahead|wonderful, please go ahead))?\.$/.test(
      event.text,
    )
      ? { ...event, text: fill(phrases.yes) }
      : event;
  });
}
