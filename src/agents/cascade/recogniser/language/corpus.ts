import type { Random } from '../../../../shared/index.js';
import { CITIES, FIRST_NAMES, LAST_NAMES, STATES, STREET_KINDS, STREET_NAMES } from './names.js';
import { sayDigits, sayPairs, sayWords } from './say-number.js';

/** The shop's public catalogue: what its product look-ups tell anyone. */
export interface Catalogue {
  readonly products: readonly {
    readonly name: string;
    /** Option name to the values that occur. */
    readonly options: Readonly<Record<string, readonly string[]>>;
  }[];
}

/** What customers of any shop say. Braces are filled in from the tables below. */
const SENTENCES = `
hi | hello | hi there | good day | good morning | hello thanks for taking my call | hi there hope you are well | i hope you can help me
i hope you are having a good day | this should be quick i think | so here is the thing | okay let me explain | it has been one of those weeks
i was just going through my orders | i meant to call about this yesterday | thanks for taking my call
i hope that is no trouble | that would be lovely | thank you so much | i would really appreciate it | would that be possible
{email} | my email is {email} | it's {email} | of course my email is {email} | sure thing the email is {email}
i don't remember my email | i'm afraid i don't remember my email | i don't remember my email sorry | oh i'm sorry i really don't remember which email i used
{name} | my name is {name} | it's {name} | sure my name is {name}
zip code {zip} | my zip code is {zip} | and the zip code is {zip} | my zip code is {zip}
order {id} | {id} | the order number is {id} | order {id} please | it is order {id}
i don't have the order number but it is the order with the {thing} | i don't know the number it's the one with the {thing}
i don't know the order number sorry | i'm sorry i don't have the order number with me | all of my {status} orders i don't have the numbers
{want} cancel {order} | {want} cancel orders {id} and {id} | {want} cancel all my pending orders | could you cancel {order} for me | cancel {order} please
i need to have {order} cancelled | i need to have all my pending orders cancelled | wait no cancel {order} instead
hold on i mixed that up it is {order} that should be cancelled not the other one | i want to keep that order
i no longer need it | i no longer need them | i ordered it by mistake | i ordered them by mistake | i just don't need it any more
it was a mistake i never meant to place that order | i have no use for it after all | i found it for less money somewhere else that is my only reason
the delivery takes too long for me that is my only reason | {want} cancel {order} for my {relative} who asked me to call
and tell me how much i get back | and tell me how much i get back for them all together | how much will i get back in total | how much is the refund going to be
if you cannot do that tell me the status of the order | if there is not enough on it tell me exactly how much is missing
{want} return the {thing} | {want} return the {thing} and the {thing} | {want} return the {thing} from order {id} | {want} return everything in {order}
could you help me return the {thing} from {order} | i would like to send the {thing} from order {id} back | could you help me return the {thing}
back to the {method} that i paid with please | to my {method} | to my {method} if that is possible if not back to the {method} that i paid with
sorry i have changed my mind i want to keep the {thing} so it is just the {thing} that goes back
actually i have thought about it and i will keep the {thing} please return only the {thing} | everything in that order
it isn't what i expected | it doesn't go with the rest of my things | i found that i have no use for it | i simply do not need any of it | it is not quite what i wanted
i picked the wrong one when i ordered | i chose the wrong options for the {thing} can that still be changed
{want} exchange the {thing} | {want} exchange the {thing} from order {id} | {want} exchange the {thing} for {one} | {want} exchange the {thing} and the {thing}
could you exchange something in {order} it is the {thing} for {one} | could you change something in {order} it is the {thing} for {one}
{want} change the {thing} for {one} | {want} change the {thing} in order {id} | {want} change the {thing} in order {id} before it is sent | change the {thing} and the {thing}
change in order {id} the {thing} for {one} | i got the {thing} from {order} and i would rather have a different version | and tell me the difference in price please
the {thing} | the {thing} and the {thing} | it is about the {thing} | {one} | {one} | {one} | {one} | {thing} {one} | {thing} {one} {thing} {one}
actually i have thought again for the {thing} i would rather have {full} | sorry one correction for the {thing} i would rather have {full}
wait i have changed my mind for the {thing} i would rather have {full} | no for the {thing} i want {option} not {option} | no not the {thing} i mean the {thing}
the cheapest one you have in stock with {option} | the most expensive one you have in stock with {option}
{one} if that is not in stock keep {option} | {one} if that is not in stock take {option} instead
use my {method} for the difference | with my {method} | use my {method} | my {method}
{want} change the {thing} into a different product the {thing} | i want the {thing} in its place any version | i want the {thing} any version no other {thing}
{want} remove the {thing} from {order} and keep the rest | the {thing} only that one
could you change the payment of {order} to my {method} | {want} pay for {order} with my {method} instead | pay {order} with my {method} instead | switch {order} to my {method}
i used the wrong payment method for {order} it should be my {method} | {want} split the payment of {order} over two of my payment methods | half on each of two methods not all of it on one
i want to sort out how one of my orders is paid
{want} change the shipping address of {order} | could you send {order} to a different address | new address for {order} | change the address of {order}
{order} is going to the wrong address can you change it | a parcel is going to the wrong place | the new address is {address} | {address} | {address} there is no apartment or suite number
my home address the one in my profile | wait i have changed my mind about the address it should go to {address} | sorry i gave you the wrong address it should go to {address}
sorry that is where i lived before the new address is {address} | send {order} there too | and please have {order} sent to the new address as well | then {order} should go to that same new address please
i moved change my address | could you update my default address i live somewhere else now | update the address in my profile the new one is {address} | i need a new address in my account | i have moved so i'd like to change the address in my profile
i want a new default address in my profile
{ask} how much i paid for {order} in total | {ask} how much i paid for the {thing} | {ask} how much i paid for the {thing} in order {id} | {ask} what the tracking number of {order} is | {ask} what the status of {order} is
{ask} to which street address {order} is being sent | {ask} how much is left on my gift card | {ask} how much all my {status} orders cost together | {ask} what the lowest price for the {thing} you have in stock is
{ask} how many versions of the {thing} you have in stock and what the lowest price among them is | {ask} what the difference in price is between the {thing} and {one} | {ask} what the difference in price is between the {thing} in order {id} and {one}
close my account | i want my account with you closed and my data deleted | i got married change my last name in the account | i got married and my last name in your account should be changed
i want another email address on my account | i have a new email address please put that into my account | add a new credit card to my account | i'd like to add a new credit card to my account
i never got {order} | it says that {order} was delivered but nothing ever came i want somebody to look for it | i need a company invoice for {order} | could you make out an invoice to my company for {order}
something from {order} needs a repair | i'd like something from {order} repaired not returned and not exchanged | take back the cancellation of {order} | i want the cancellation of {order} undone so that it is sent after all
problem with an order | there is an order of mine that i would like to talk about | something that i received isn't quite right | something that you delivered is not right for me | i have something here that i would rather have in another version
there is something in an order of mine that should be different
yes | yes go ahead | yes please go ahead | yes that is right | yes please do that | yes that is exactly right please go ahead | yes wonderful please go ahead
no i did not ask for that | no that is not what i asked for | no please don't i did not ask for that | oh no please don't do that it is not what i asked for | no that is done already | no that has been dealt with already
okay | sure | okay i will wait | sure take your time | thanks | thank you | great thank you | wonderful thank you so much | oh great thank you | fine | okay i understand | all right that is a pity | oh well i understand thank you for explaining
are you sure please try | are you sure is there really no way | is there nothing you can do | are you quite sure it would mean a lot to me
bye | that's all bye | that's all goodbye | that is everything thank you bye | that was everything have a lovely day goodbye
also | i also have another request | one more thing | and while i have you one more thing | not yet | i still need help with this | there is still something | well yes there is still something
is it done | has it been done now | is it done then | okay can you do it | okay can you take care of it please | sorry i didn't get that | no thank you | no that would be all thank you
no preference | i don't have a preference there | i don't know | i can't say sorry | to be honest i don't know sorry
we are going in circles | i think we are going round in circles | you have said that before | i'm sorry but i feel that we are going round in circles
this isn't working bye | this isn't getting us anywhere i will try another time goodbye | i want to return the {thing} from my order with the {thing}
`
  .trim()
  .split(/\n|\|/)
  .map((line) => line.trim());

const FILLED: Readonly<Record<string, readonly string[]>> = {
  want: ["i'd like to", 'i want to', 'i need to', 'i would like to', 'could you'],
  ask: [
    'could you tell me',
    "i'd like to know",
    'i was wondering',
    'tell me',
    'i need to know',
    'i want to know',
  ],
  status: ['pending', 'delivered'],
  method: [
    'gift card',
    'paypal account',
    'credit card',
    'visa credit card ending in {four}',
    'mastercard credit card ending in {four}',
  ],
  order: ['order {id}', 'my order with the {thing}'],
  id: ['w {seven}'],
  relative: [
    'sister',
    'brother',
    'neighbor',
    'friend',
    'mother',
    'father',
    'colleague',
    'cousin',
    'aunt',
    'uncle',
    'wife',
    'husband',
  ],
  email: [
    '{first} dot {last} {four} at example dot org',
    '{first} dot {last} {four} at example dot com',
    '{first} dot {last} {four} at example dot net',
    '{first} {last} {four} at example dot com',
  ],
  name: ['{first} {last}'],
  first: FIRST_NAMES,
  last: LAST_NAMES,
  address: [
    '{house} {street} {kind} {city} {state} {zip}',
    '{house} {street} {kind} {unit} {house} {city} {state} {zip}',
  ],
  street: STREET_NAMES,
  kind: STREET_KINDS,
  unit: ['apartment', 'suite', 'unit'],
  city: CITIES,
  state: Object.keys(STATES),
};
const NUMBERS: Readonly<Record<string, (random: Random) => string>> = {
  four: (random) => sayDigits(digits(random, 4)),
  seven: (random) => sayDigits(digits(random, 7)),
  zip: (random) => sayDigits(digits(random, 5)),
  house: (random) => sayPairs(String(random.int(1, 999))),
};
const SAMPLES_OF_EACH = 60;

function digits(random: Random, count: number): string {
  return Array.from({ length: count }, () => String(random.int(0, 9))).join('');
}

/** "blade length ten inch": one option of a product, or with a likely neighbour. */
function options(product: Catalogue['products'][number], random: Random, share: number): string {
  const chosen = Object.entries(product.options).filter(() => random.chance(share));
  const [first = Object.entries(product.options)[0] ?? ['color', ['black']], ...rest] = chosen;
  return [first, ...rest]
    .map(([key, values]) => {
      const value = random.pick(values);
      return sayWords(value.includes(key.replace(/s$/, '')) ? value : `${key} ${value}`);
    })
    .join(' and ');
}

/** Any first name may stand before any last name. */
export function namePairs(): (readonly [string, string])[] {
  return FIRST_NAMES.flatMap((first) => LAST_NAMES.map((last) => [first, last] as const));
}

/** Sentences to learn a language model from: the same for the same catalogue and random stream. */
export function makeCorpus({ products }: Catalogue, random: Random): string[] {
  const fill = (sentence: string): string =>
    sentence.replace(/\{(\w+)\}/g, (_, slot: string) => {
      const number = NUMBERS[slot];
      if (number !== undefined) return number(random);
      const values = FILLED[slot];
      if (values !== undefined) return fill(random.pick(values));
      const product = random.pick(products);
      const article = /[^s]s$/.test(product.name) ? 'ones' : 'one';
      if (slot === 'thing') return sayWords(product.name.replaceAll('-', ' '));
      if (slot === 'option') return options(product, random, 0);
      if (slot === 'full') return `${article} with ${options(product, random, 1)}`;
      return `${article} with ${options(product, random, 0.4)}${random.chance(0.8) ? ' everything else the same' : ''}`;
    });
  const single = SENTENCES.flatMap((sentence) =>
    Array.from({ length: sentence.includes('{') ? SAMPLES_OF_EACH : SAMPLES_OF_EACH / 4 }, () =>
      fill(sentence),
    ),
  );
  // Every word of the catalogue and every name at least once, so that nothing is out of the vocabulary.
  const things = products.flatMap((product) => [
    `the ${sayWords(product.name.replaceAll('-', ' '))}`,
    ...Object.entries(product.options).flatMap(([key, values]) =>
      values.map(
        (value) =>
          `${product.name.endsWith('s') ? 'ones' : 'one'} with ${sayWords(`${value.includes(key.replace(/s$/, '')) ? '' : `${key} `}${value}`)} everything else the same`,
      ),
    ),
  ]);
  const names = FIRST_NAMES.flatMap((name) =>
    ['my email is', "it's", ''].flatMap((lead) => [
      fill(`${lead} ${name} dot {last} {four} at example dot org`).trim(),
      fill(`${lead.replace('email', 'name')} ${name} {last} my zip code is {zip}`).trim(),
    ]),
  );
  const lastNames = LAST_NAMES.flatMap((name) => [
    fill(`my name is {first} ${name} my zip code is {zip}`),
    fill(`my email is {first} dot ${name} {four} at example dot com`),
  ]);
  // Turns hold several sentences, and a recogniser hears no full stops.
  const joined = Array.from({ length: single.length }, () => `${random.pick(single)} ${random.pick(single)}`);
  return [...single, ...things, ...things, ...names, ...lastNames, ...joined];
}
