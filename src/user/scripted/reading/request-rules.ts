import type { AgentAct } from './agent-acts.js';
import type { Sentence } from './sentences.js';

/** Does the sentence ask for something, with or without a question mark (speech has none)? */
const ASKING =
  /\b(?:please|kindly)\s+(?:[\w-]+\s+){0,2}?(?:provide|share|give|tell|send|specify|enter|supply|verify|confirm|state|let|type|indicate|choose|select|spell|repeat|double-check|include|clarify|describe|list|reply|advise|pick|explain)\b|\b(?:could|can|may|might|would) (?:i|you)(?: please| also| kindly| just)* (?:have|get|provide|share|give|tell|confirm|verify|let|ask|specify|spell|remind|choose|repeat|clarify|describe|read|double-check|send|explain|pick)\b|\b(?:i|we)(?:'ll| will|'d| would)?(?: just| also| still| first| only)* (?:need|require|like to know)\b|\blet me know (?!if you (?:need|have)|when you)|^(?:then |and |also |now |first |so |okay |ok |great |sure |to start )*,? ?(?:provide|share|tell me|give me|specify|what|which|who|where|why|how)\b|(?<!, )\b(?:what|which)(?:'s| is| are| was| would)\b|\bwe'll need\b|\bneeds? to (?:know|have)\b|\bmind (?:sharing|telling|giving)\b/;

const SLOT_RULES: readonly (readonly [AgentAct, RegExp])[] = [
  ['ask_email', /\be-?mails?\b/],
  [
    'ask_name',
    /\b(?:your|full|first|last|family|complete)(?: and (?:your )?last)?(?: full| first| last| and)* names?\b|\bnames? (?:and|or|\+|plus|&) (?:your )?(?:zip|postal)|\bwho am i (?:speaking|talking)|\bname on (?:the|your) (?:account|order)/,
  ],
  ['ask_zip', /\b(?:zip|postal|post)[ -]?codes?\b|\bzip\b|\bpostcode\b/],
  ['ask_user_id', /\buser ?-?(?:id|name)\b|\b(?:account|customer) (?:id|number)\b|\blogin\b/],
  [
    'ask_identity',
    /\b(?:verify|authenticate|confirm|establish)\b.{0,20}\b(?:identity|account|who you are|you are)\b|\b(?:locate|find|look up|pull up|access) your (?:account|profile)\b/,
  ],
  [
    'ask_order_id',
    /\border(?:'s)? (?:id|number|no|#|reference)|\b(?:which|what) (?:of (?:your|these|those|the) )?(?:two |three )?(?:\w+ )?orders?\b|\border is (?:it|this|that)\b/,
  ],
  [
    'ask_items',
    /\b(?:which|what|all(?: of)? the|the specific|list of|each|any other) (?:\w+ )?(?:items?|products?|things?|pieces?|articles?)\b|\b(?:items?|products?)(?: or items?)?(?:\(s\))? (?:you(?:'d| would| want| wish| are|'re)|to be|that you|from (?:this|that|the|your) order|in question)|\bname of the (?:item|product)|\bitem ids?\b|\bwhich (?:one|ones|of (?:these|those|them))\b/,
  ],
  [
    'ask_options',
    /\b(?:which|what) (?:new |other |specific |exact |available )?(?:options?|variants?|colou?rs?|sizes?|styles?|materials?|models?|versions?|kinds?|types?|features?|specifications?|specs|replacement|capacity|storage|brand|length|features)\b|\b(?:options?|variants?|preferences?|specifications?|features|replacement|new items?)\b.{0,40}\b(?:you(?:'d| would| want| prefer|'re)|like|prefer|instead|for the (?:new|replacement|exchange))|\b(?:exchange|change|swap|replace|switch|modify) (?:it|them|this|that|the [\w -]{2,30}?)? ?(?:for|to|into|with)\s*\?|\bwhat would you like (?:instead|(?:to exchange|in exchange|it changed|to change|to replace|to swap).{0,30}(?:for|to|with)\b)|\bany preference|\bwhat changes?\b|\bwhat would you like .{0,40}\b(?:changed|updated|modified)?\s?(?:for|to)\s*\?|\bprefer\b.{0,40}\b(?:colou?r|size|option|variant|material|style)|\bitem id of the new\b/,
  ],
  [
    'ask_payment',
    /\bpayment (?:method|option|type|source)s?\b|\b(?:how|where) (?:would|do|should|shall).{0,30}\b(?:pay|paid|refund|refunded|charge)|\brefund(?:ed)? (?:method|destination|option|to\b)|\b(?:pay|charge|cover|settle)\b.{0,30}\bdifference\b|\b(?:which|what|prefer|use|to|or) (?:your |a |an |the |of your )?(?:\w+ )?(?:card|gift card|paypal)\b/,
  ],
  [
    'ask_reason',
    /\breasons?\b|\bwhy\b|\bwhat(?:'s| is| was) wrong\b|\bno longer need.{0,40}\bmistake\b|\bordered (?:it |them )?by mistake\b/,
  ],
  [
    'ask_address',
    /(?<!e-?mail )\baddress(?:es)?\b|\bstreet\b.{0,40}\b(?:city|zip|state)\b|\bwhere\b.{0,50}\b(?:ship|sent|send|deliver)/,
  ],
];

/** Slots the sentence asks for. `confirming`: it asks for a yes, so only an explicit "which" or "what" asks for more. */
export function askedSlots(sentence: Sentence, confirming: boolean): AgentAct[] {
  const { text, question, listedAsk } = sentence;
  if (confirming && !/\b(?:which|what|provide|specify|let me know (?:your|the)|how would)\b/.test(text))
    return [];
  if (!question && !listedAsk && !ASKING.test(text)) return [];
  // "You will receive an email", "I see the address on your account": told, not asked.
  if (/\b(?:will|should) receive an e-?mail\b/.test(text)) return [];
  const asked = SLOT_RULES.filter(([, rule]) => rule.test(text)).map(([act]) => act);
  const slots = asked.filter(
    (act) =>
      (act !== 'ask_identity' || asked.length === 1) &&
      !(
        act === 'ask_address' &&
        asked.includes('ask_email') &&
        !/\b(?:shipping|delivery|new|home|mailing|street)\b/.test(text)
      ),
  );
  return slots;
}

export function isAsking(sentence: Sentence): boolean {
  return sentence.question || sentence.listedAsk || ASKING.test(sentence.text);
}
