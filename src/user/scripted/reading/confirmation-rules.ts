const ASKS_FOR_YES: readonly RegExp[] = [
  /\b(?:do|can|could|would|will) you(?: please| kindly| also| just)* (?:re-?confirm|confirm|agree|approve|authori[sz]e)\b/,
  /\b(?:please|kindly)(?: \w+)? (?:re-?confirm|confirm|approve)\b/,
  /^(?:confirm|proceed)\b/,
  /\b(?:shall|should|may|can|could) (?:i|we)(?: now| please| then| just| also| go ahead and)* (?:proceed|go ahead|continue|process|submit|cancel|return|exchange|modify|update|change|make|do|place|initiate|complete|apply|set|switch|finali[sz]e|start|move|use|send|refund|swap|charge|take care)\b/,
  /\b(?:would|do) you (?:like|want|need|wish)(?: for)? (?:me|us) to\b/,
  /\b(?:would|do) you (?:still |really |also )?(?:like|want|wish) to (?:proceed|go ahead|go forward|continue|confirm|move forward|cancel|return|exchange|modify|update|change|use|keep|have)\b/,
  /\b(?:is|are|does|do|did) (?:that|this|these|everything|all of (?:this|that)|the (?:above|following|details|information)|it|i)\b.{0,60}\b(?:correct|correctly|right|ok|okay|accurate|good|fine|acceptable|work for you|what you (?:want|wanted|need|had in mind))\b/,
  /\byes\s*(?:\/|or)\s*no\b|\(y\/n\)/,
  /\b(?:reply|respond|say|type|answer|enter|reply with|saying)\b.{0,24}['"]?\b(?:yes|confirm|y)\b/,
  /\b(?:need|have|await|awaiting|get|wait for|waiting for|receive|require)\b.{0,20}\b(?:confirmation|approval|go-ahead|consent|okay)\b(?! (?:email|number))/,
  /\bare you (?:sure|okay|ok|happy|ready|fine|comfortable|good|absolutely sure)\b/,
  /\b(?:ok|okay|ready|happy|good|alright|all right|safe) (?:for me )?(?:to|with) (?:proceed|go|continue|that|this)\b/,
  /\bif (?:you|that|this|everything|it|these|all)\b.{0,50}\b(?:proceed|go ahead|correct|sounds|looks|okay|ok|fine|right|confirm|agree)\b/,
  /\b(?:proceed|go ahead|sounds? good|looks? good|all good|good to go|okay|ok|correct|right|work for you)[^?]{0,60}\?/,
  /\b(?:let me know|tell me) (?:if|whether) (?:you(?:'d| would) like (?:me |us )?to|you want (?:me |us )?to|i (?:should|can|may)|we (?:should|can|may)|this|that|everything|these)\b/,
  /\b(?:once|when|after|as soon as) you(?:'ve| have)? confirm/,
  /\bgive me (?:a|the|your) (?:yes|go-ahead|green light|ok|okay|nod)\b/,
];

const NO_YES_WANTED =
  /\bthank(?:s| you) for (?:\w+ )?confirm|\bconfirmation (?:e-?mail|number|code)\b|\bi (?:can|do|have|did) confirm\b|\banything else\b|\bany other\b|\bfurther (?:help|assistance)\b|\b(?:which|what|how|where|why|who)\b.{0,80}\b(?:would|do|can|could|should|shall|may) (?:you|i|we)\b/;

/** "Please confirm your email": asks for a fact, not for a yes. */
const CONFIRM_A_FACT =
  /\b(?:confirm|verify)\s+(?:(?:with |for )?me\s+)?(?:your|the|which|what|whether it)\b\s*(?:[\w'-]+\s+){0,4}?(?:e-?mail|names?|zip|postal|user id|order (?:id|number)|reason|payment method|refund method|address|identity|items? you|which|what)\b/;
const CONFIRM_A_DEED =
  /\b(?:details|following|above|changes?|updates?|modification|correct|yes|proceed|go ahead|like to|want to|below)\b/;

function confirmsFact(text: string): boolean {
  const match = CONFIRM_A_FACT.exec(text);
  return match !== null && !CONFIRM_A_DEED.test(match[0]);
}

/** Does the sentence ask the customer for a yes to something? */
export function asksForYes(text: string): boolean {
  if (NO_YES_WANTED.test(text) || confirmsFact(text)) return false;
  return ASKS_FOR_YES.some((rule) => rule.test(text));
}
