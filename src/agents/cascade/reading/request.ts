import { isAboutIdentity } from './identity.js';
import { sentences, words } from './words.js';

export type Kind =
  | 'cancel'
  | 'return'
  | 'replace'
  | 'order_address'
  | 'profile_address'
  | 'payment'
  | 'question'
  | 'hand_over'
  | 'unclear';

/** Read from the top; the first that fits decides. */
const KINDS: readonly (readonly [Kind, RegExp])[] = [
  [
    'hand_over',
    /\b(?:close my account|account (?:with you )?closed|data deleted|last name .*(?:changed|account)|change my (?:last )?name|(?:another|new) email address|(?:add|remove|delete) (?:a|my|the)( new)? (?:credit card|gift card|card|payment)|repair(?:ed)?|invoice|take back the cancellation|cancellation .*(?:undone|taken back|reversed)|(?:undo|reverse) .*cancellation|never (?:got|arrived|received|came)|did(?:n't| not) (?:arrive|come|get)|not arrived|arrived (?:broken|damaged)|came (?:broken|damaged)|(?:got|is|was) lost|lost parcel|is broken|was broken|speak to a (?:human|person))\b/,
  ],
  [
    'payment',
    /\b(?:split the payment|payment (?:method|of)|how .*(?:is|are) paid|pay (?:for )?(?:my |the )?order)\b|\bswitch .*(?:card|paypal)\b|\bpaid? .* instead\b/,
  ],
  [
    'question',
    /\b(?:tell me|know|wondering|what is|what's|how much is|how much did)\b.*\b(?:status|tracking|how much|price|cost|left on|to which|where|many)\b/,
  ],
  ['cancel', /\bcancel(?:l?ed|l?ing|lation)?\b/],
  ['return', /\breturn(?:ed|ing)?\b|\bsend .*\bback\b|\bgive .*\bback\b|\bgoes? back\b/],
  [
    'profile_address',
    /\b(?:profile|account|default address)\b|\bi (?:have )?moved\b|\blive somewhere else\b|\bchange my address\b/,
  ],
  [
    'order_address',
    /\baddress\b|\bwrong place\b|\bsen[dt] .*\b(?:there|to)\b|\b(?:go|goes|going|ship(?:ped)?) to\b/,
  ],
  [
    'replace',
    /\b(?:exchang|swap|replac)\w*\b|\bchanged?\b|\b(?:different|another|other) version\b|\bwrong options?\b|\bremove the\b|\btake .* out of\b|\badd the\b|\bone with\b|\bones with\b/,
  ],
  [
    'unclear',
    /\bproblem with\b|\b(?:isn't|is not) (?:quite )?right\b|\bnot right for me\b|\bshould be different\b|\bsomething (?:that|in|with)\b|\bwrong\b|\border of mine\b|\btalk about\b/,
  ],
];

const MORE = /^(?:also|i also have another request|one more thing|and while i have you one more thing)$/;
/** Belongs to what was said before, whatever it mentions. */
const ADDITION =
  /^(?:and (?:please )?tell me|if (?:that|you|not|there|it)\b|how much (?:will|is the refund|do i|money)|i don't (?:have|know) the|it is the order with|it's the one with|the order number|the new (?:address|one) is)/;
const CHANGE =
  /^(?:actually|wait|sorry|hold on|no)\b|\b(?:changed my mind|thought (?:again|about it)|correction|mixed that up|instead|rather have)\b/;

/** "size 11, not 5": what is named only to be denied. */
const DENIED = /,? \bnot (?!in stock|available|possible|there|enough|quite)[^,.;]+/g;

export interface SaidLine {
  readonly turn: number;
  readonly text: string;
}

/** One thing that the customer wants, with every sentence that was said about it. */
export class Request {
  kind: Kind;
  status: 'open' | 'done' | 'refused';
  readonly said: SaidLine[] = [];
  /** How often each thing was asked for. */
  readonly asked = new Map<string, number>();
  /** The last report or refusal, to be said again when asked. */
  outcome = '';
  denials = 0;

  constructor(kind: Kind) {
    this.kind = kind;
    this.status = 'open';
  }

  /** What was said in each turn, the latest first. */
  get turns(): string[] {
    const byTurn = new Map<number, string[]>();
    for (const { turn, text } of this.said) byTurn.set(turn, [...(byTurn.get(turn) ?? []), text]);
    return [...byTurn.values()].map((lines) => lines.join(' ').replace(DENIED, '')).toReversed();
  }

  get all(): string {
    return this.said.map(({ text }) => text).join(' ');
  }
}

export function kindOf(sentence: string): Kind | null {
  const text = words(sentence);
  return KINDS.find(([, rule]) => rule.test(text))?.[0] ?? null;
}

/** Sorts a turn's sentences to the requests they are about, and opens new ones. `current`: what the agent last spoke about. */
export function takeIn(turn: number, said: string, requests: Request[], current: Request | null): void {
  let target = current ?? requests.at(-1) ?? null;
  let isNew = turn === 0;
  for (const sentence of sentences(said)) {
    const text = words(sentence);
    if (MORE.test(text)) {
      isNew = true;
      continue;
    }
    if (isAboutIdentity(sentence) && kindOf(sentence) !== 'hand_over') continue;
    const known = requests.find((request) => request.said.some((line) => line.text === sentence));
    if (known !== undefined) {
      target = known;
      isNew = false;
      continue;
    }
    // Announced as something new, though nobody can tell yet what it is.
    const kind = kindOf(sentence) ?? (isNew && turn > 0 ? 'unclear' : null);
    const fresh =
      isNew || target === null || (target.status !== 'open' && kind !== null && !CHANGE.test(text));
    if (fresh && kind !== null && !ADDITION.test(text)) {
      // "I moved. Change my address." is one wish.
      if (turn === 0 && target?.kind === kind && target.said.length === 1 && kind === 'profile_address') {
        target.said.push({ turn, text: sentence });
        continue;
      }
      target = new Request(kind);
      requests.push(target);
      isNew = turn === 0;
    } else if (CHANGE.test(text) && kind !== null) {
      target = requests.findLast((request) => request.kind === kind && request.status === 'open') ?? target;
    }
    if (target === null) continue;
    if (target.kind === 'unclear' && kind !== null && kind !== 'unclear') target.kind = kind;
    target.said.push({ turn, text: sentence });
  }
}
