import { createRandom } from '../../shared/index.js';

export type Style = 'terse' | 'plain' | 'chatty';

/** Everything a scripted customer says of its own accord, per style. `{x}` is filled in. */
const PHRASES = {
  greet: [
    ['Hi.', 'Hello.'],
    ['Hi there.', 'Hello.', 'Good day.'],
    ['Hi there, hope you are well.', 'Hello! Thanks for taking my call.'],
  ],
  email: [
    ['{email}.'],
    ['My email is {email}.', "It's {email}."],
    ['Of course, my email is {email}.', 'Sure thing. The email is {email}.'],
  ],
  email_unknown: [
    ["I don't remember my email."],
    ["I don't remember my email, sorry.", "I'm afraid I don't remember my email."],
    ["Oh, I'm sorry, I really don't remember which email I used."],
  ],
  name: [['{name}.'], ['My name is {name}.', "It's {name}."], ['Sure, my name is {name}.']],
  zip: [
    ['Zip code {zip}.'],
    ['My zip code is {zip}.'],
    ['And the zip code is {zip}.', 'My zip code is {zip}.'],
  ],
  user_id_unknown: [
    ["I don't know my user id."],
    ["I don't know my user id, sorry."],
    ["Hmm, my user id? I don't know that, sorry."],
  ],
  user_id: [['{userId}.'], ['My user id is {userId}.'], ['Let me see. My user id is {userId}.']],
  order_unknown: [
    ["I don't know the order number."],
    ["I don't have the order number.", "I don't know the order number, sorry."],
    ["I'm sorry, I don't have the order number with me."],
  ],
  unknown: [
    ["I don't know."],
    ["I don't know, I'm afraid.", "I can't say, sorry."],
    ["To be honest, I don't know, sorry."],
  ],
  no_wish: [
    ['No preference.'],
    ["I don't have a preference there.", 'I have no particular wish there.'],
    ['Oh, I have no particular preference there.'],
  ],
  yes: [
    ['Yes.', 'Yes, go ahead.'],
    ['Yes, please go ahead.', 'Yes, that is right.', 'Yes, please do that.'],
    ['Yes, that is exactly right, please go ahead.', 'Yes, wonderful, please go ahead.'],
  ],
  not_mine: [
    ['No. I did not ask for that.'],
    ['No, that is not what I asked for.', "No, please don't. I did not ask for that."],
    ["Oh no, please don't do that, it is not what I asked for."],
  ],
  already: [
    ['No. That is done already.'],
    ['No, that has been dealt with already.'],
    ['No, no, that has been dealt with already, thank you.'],
  ],
  wait: [
    ['Okay.', 'Sure.'],
    ['Okay, I will wait.', 'Sure, take your time.'],
    ['No problem at all, take your time.'],
  ],
  thanks: [
    ['Thanks.'],
    ['Thank you.', 'Great, thank you.'],
    ['Wonderful, thank you so much.', 'Oh great, thank you.'],
  ],
  accept: [
    ['Okay.', 'Fine.'],
    ['Okay, I understand.', 'All right, that is a pity.'],
    ['Oh well, I understand, thank you for explaining.'],
  ],
  insist: [
    ['Are you sure? Please try.'],
    ['Are you sure? Is there really no way?', 'Is there nothing you can do?'],
    ['Are you quite sure? It would mean a lot to me.'],
  ],
  bye: [
    ['Bye.', "That's all. Bye."],
    ["That's all. Goodbye.", 'That is everything, thank you. Bye.'],
    ['That was everything. Have a lovely day, goodbye.'],
  ],
  bye_transfer: [
    ['Okay.'],
    ['All right, thank you. I will hold.', 'Okay, thank you.'],
    ['All right, thank you for your help, I will wait for them.'],
  ],
  also: [
    ['Also:'],
    ['I also have another request.', 'One more thing.'],
    ['And while I have you, one more thing.'],
  ],
  still: [
    ['Not yet.'],
    ['I still need help with this.', 'There is still something.'],
    ['Well, yes, there is still something.'],
  ],
  is_it_done: [
    ['Is it done?'],
    ['Has it been done now?', 'Is it done, then?'],
    ['Could you tell me whether it has been done now?'],
  ],
  go_on: [
    ['Okay. Can you do it?'],
    ['Okay. Can you take care of it, please?', 'I see. So can you do that for me?'],
    ['I see, thank you. So can you take care of it for me?'],
  ],
  pardon: [['Sorry?'], ["Sorry, I didn't get that."], ["I'm so sorry, I didn't quite get that."]],
  nothing_else: [['No.'], ['No, thank you.'], ['No, that would be all, thank you.']],
  circles: [
    ['We are going in circles.'],
    ['I think we are going round in circles.', 'You have said that before.'],
    ["I'm sorry, but I feel that we are going round in circles."],
  ],
  resign: [
    ["This isn't working. Bye."],
    ["This isn't getting us anywhere. I will try another time. Goodbye."],
    ["I'm sorry, this isn't getting us anywhere. I will call another time. Goodbye."],
  ],
} as const satisfies Record<string, readonly [readonly string[], readonly string[], readonly string[]]>;
export type PhraseKey = keyof typeof PHRASES;

const STYLE_COLUMN: Record<Style, 0 | 1 | 2> = { terse: 0, plain: 1, chatty: 2 };

export interface Wording {
  phrase(key: PhraseKey, values?: Readonly<Record<string, string>>): string;
}

/** Same seed and style, same words. */
export function createWording(seed: number, style: Style): Wording {
  const random = createRandom(seed);
  return {
    phrase: (key, values = {}) => {
      const choices: readonly string[] = PHRASES[key][STYLE_COLUMN[style]];
      return random.pick(choices).replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
    },
  };
}
