import { fold, segmentsOf } from './folding.js';

/** Folded text and its sentences. */
export interface Wording {
  readonly folded: string;
  readonly segments: readonly string[];
}

/** What a message to the customer does, as far as wording shows. */
export interface MessageReading {
  readonly folded: string;
  readonly segments: readonly string[];
  /** The message without its reports of what was done: what it says about things to come. */
  readonly ahead: Wording;
  /** Asks for a yes to something the agent would do. */
  readonly asksForYes: boolean;
  /** Asks the customer to name or choose something. */
  readonly asksForFacts: boolean;
  /** Says what it is about to do. */
  readonly intends: boolean;
  /** Says what it itself is about to do, beside what it reports as done. */
  readonly plans: boolean;
  /** Puts something forward that the customer could take. */
  readonly offers: boolean;
  /** Sentences that say that something was carried out. */
  readonly claims: readonly string[];
  /** Says that something cannot be done. */
  readonly refuses: boolean;
  /** Asks whether there is more, or says goodbye. */
  readonly closes: boolean;
  /** Says that the customer is being handed over. */
  readonly handsOver: boolean;
}

const ACTION =
  '(?:proceed|go ahead|continue|process|submit|cancel|return|exchange|modify|update|change|make|do|place|initiate|complete|apply|set|switch|finali[sz]e|move|use|send|refund|swap|replace|charge|arrange)';
const ASKS_FOR_YES: readonly RegExp[] = [
  /\b(?:do|can|could|would|will) you(?: please| kindly| also| just)* (?:re-?confirm|confirm|agree|approve)\b/,
  /\b(?:please|kindly|just)(?: \w+)? (?:re-?confirm|confirm|approve)\b|^confirm\b/,
  new RegExp(
    `\\b(?:shall|should|may|can|could) (?:i|we)(?: now| please| then| just| also| go ahead and)* ${ACTION}\\b`,
  ),
  /\b(?:would|do) you (?:like|want|need|wish)(?: for)? (?:me|us) to\b/,
  new RegExp(`\\b(?:would|do) you (?:still |really |also )?(?:like|want|wish) to ${ACTION}\\b[^?]*\\?`),
  /\b(?:is|are|does|do) (?:that|this|these|everything|all of (?:this|that)|the (?:above|following|details)|it|i)\b.{0,60}\b(?:correct(?:ly)?|right|ok|okay|accurate|good|fine|work|what you (?:want|need))/,
  /\byes\s*(?:\/|or)\s*no\b|\(y\/n\)/,
  /\b(?:reply|respond|say|type|answer|enter)\b.{0,24}\b(?:yes|confirm)\b/,
  /\b(?:need|have|await|awaiting|get|wait(?:ing)? for|receive|require)\b.{0,24}\b(?:confirmation|approval|go-ahead|consent)\b(?! (?:e-?mail|number))/,
  /\bare you (?:sure|okay|ok|happy|ready|fine|comfortable|good)\b/,
  /\b(?:ok|okay|ready|happy|good|all right|alright) (?:for me )?(?:to|with)\b[^?]*\?/,
  /\bif (?:you|that|this|everything|it|these|all)\b.{0,50}\b(?:proceed|go ahead|correct|sounds|looks|okay|ok|fine|right|confirm|agree)\b/,
  /\b(?:proceed|go ahead|sounds? good|looks? good|all good|good to go|okay|ok|correct|right)\b[^?]{0,40}\?/,
  /\b(?:let me know|tell me) (?:if|whether) (?:you(?:'d| would) like|you want|i (?:should|can|may)|this|that|everything|these)\b/,
  /\bonce you(?:'ve| have)? confirm/,
  new RegExp(
    `\\bif you(?:'d| would)? (?:like|want|wish) (?:me )?to ${ACTION}\\b.{0,80}\\b(?:let me know|tell me)\\b`,
  ),
  /\b(?:with|have|need) your (?:ok|okay|yes|permission|agreement)\b/,
];
const CONFIRMS_A_FACT =
  /\b(?:confirm|verify)\s+(?:your|the|which|what)\b\s*(?:[\w'-]+\s+){0,3}?(?:e-?mail|names?|zip|postal|user id|order (?:id|number)|reason|identity|which|what)\b(?!.*\b(?:correct|proceed|yes|go ahead)\b)/;
const NO_YES_WANTED =
  /\bthank(?:s| you) for (?:\w+ )?confirm|\banything else\b|\bfurther (?:help|assistance)\b/;
const ASKS_FOR_FACTS =
  /\b(?:which|what|why|how|where|who)\b[^.!]*\?|\b(?:please|kindly|could you|can you|may i|could i|can i)\s+(?:\w+\s+){0,2}?(?:provide|share|give|tell|specify|choose|select|have|get|let me know)\b|\blet me know (?:which|what|how|your|the)\b/;
const INTENDS =
  /\b(?:i(?:'ll| will| am going to|'m going to| can| would)|we(?:'ll| will| can| would)|let me|i'm about to|here(?:'s| is| are) (?:what|the|a summary|your)|to (?:summari[sz]e|confirm|recap)|you(?:'d| would) like to|will be|would be|details|summary)\b/;
const OFFERS =
  /\b(?:available|i (?:have |'ve )?found|we have|there (?:is|are|'s)|how about|option|i (?:can|could) offer|recommend|suggest|match(?:es|ing)?|closest|instead|alternative|in stock|would (?:that|this|it) (?:work|suit|be))\b/;
const CLAIM =
  /\b(?:(?:i|we)(?:'ve| have)?(?: \w+ly| now| just| also| gone ahead and| went ahead and)* (?:cancell?ed|returned|exchanged|modified|updated|changed|processed|submitted|completed|initiated|placed|switched|swapped|replaced|refunded|arranged|requested|set up)|(?:has|have|'s|'ve)(?: \w+ly| now| also| all| both| just)* been(?: \w+ly| now)* (?:cancell?ed|returned|exchanged|modified|updated|changed|processed|submitted|completed|initiated|placed|switched|swapped|replaced|refunded|arranged|requested|set up)|(?:is|are) (?:now|all|both|successfully)(?: \w+ly)? (?:cancell?ed|returned|exchanged|modified|updated|changed|complete|completed|done|set)|went through|all (?:done|set)|was successful|(?:is|are) done|(?:was|were) (?:successfully )(?:cancell?ed|returned|exchanged|modified|updated|changed|processed|submitted))\b|^done\b|\bsuccessfully (?:cancell?ed|returned|exchanged|modified|updated|changed|processed|submitted)\b/;
const CLAIM_TAKEN_BACK =
  /\b(?:give me|once|after|when|if|until|unless|as soon as|before|whether|cannot|can't|not|haven't|hasn't|never|unable|will|would|could|should|may|might|to be|verif\w+|authenticat\w+|already|previously|appears|seems|was originally)\b/;
const REFUSES =
  /\b(?:cannot|can't|can not|unable to|not able to|won't be able|not allowed|not permitted|not eligible|not possible|isn't possible|impossible|must (?:decline|deny|refuse)|unfortunately|regrettably|afraid|against (?:our |the )?polic|don't (?:offer|support)|do not (?:offer|support)|outside (?:of )?(?:the scope|what)|beyond (?:the scope|my|what))\b/;
const CLOSES =
  /\banything else\b|\bany (?:other|more|further)\b[^?]*\?|\bsomething else\b|\bwhat else\b|\b(?:further|additional|more) (?:assistance|help|questions?|concerns?)\b|\b(?:goodbye|bye|have a (?:great|nice|good|wonderful|lovely)|take care)\b|\bthanks? (?:you )?for (?:calling|contacting|reaching)\b|\ball (?:done|set)\b|\bthat(?:'s| is) (?:all|everything)\b/;
const HANDS_OVER =
  /\b(?:transfer(?:red|ring)?|connect(?:ed|ing)?|escalat\w+|hand(?:ed|ing)?)\b.{0,50}\b(?:human|representative|specialist|supervisor|agent|someone|colleague|person|team)\b|\bbeing transferred\b/;

/** Does a sentence decline something? Then it proposes nothing. */
export function declines(segment: string): boolean {
  return (
    REFUSES.test(segment) &&
    !/\b(?:but|however|instead)\b/.test(segment.replace(/\b(?:sorry|afraid|apologi[sz]e),? but\b/, ''))
  );
}

const PLANS =
  /\b(?:i|we)(?:'ll| will(?: now| then| next)?| (?:am|are) (?:now |then )?(?:going|about) to|'(?:m|re) (?:going|about) to| would (?:now|then|next))\b/;
/** Asks for more wishes, or for a choice; not for a yes. */
const ASKS_ELSE = /\b(?:else|other|another|more|further|again|which|what|when|where|who|whom|why|how|or)\b/;

/**
 * Puts something forward and ends on a short question that asks for no fact: whatever its words, it waits for a yes.
 * Known wordings are found by `ASKS_FOR_YES`; this is for all others.
 */
function endsOnPlainQuestion(segments: readonly string[]): boolean {
  const last = segments.at(-1);
  return (
    last !== undefined &&
    segments.length > 1 &&
    /\?\W*$/.test(last) &&
    last.split(/\s+/).length <= 10 &&
    ![ASKS_ELSE, ASKS_FOR_FACTS, NO_YES_WANTED, CLOSES].some((rule) => rule.test(last))
  );
}

export function readAgentMessage(text: string): MessageReading {
  const folded = fold(text);
  const segments = segmentsOf(folded);
  const claims = segments.filter(
    (segment) => CLAIM.test(segment) && !CLAIM_TAKEN_BACK.test(segment) && !/\?\W*$/.test(segment),
  );
  const ahead = segments.filter((segment) => !claims.includes(segment));
  const some = (test: (segment: string) => boolean): boolean => segments.some(test);
  return {
    folded,
    segments,
    ahead: claims.length === 0 ? { folded, segments } : { folded: ahead.join('\n'), segments: ahead },
    asksForYes:
      endsOnPlainQuestion(segments) ||
      some(
        (segment) =>
          !NO_YES_WANTED.test(segment) &&
          !CONFIRMS_A_FACT.test(segment) &&
          ASKS_FOR_YES.some((rule) => rule.test(segment)),
      ),
    asksForFacts: some((segment) => !NO_YES_WANTED.test(segment) && ASKS_FOR_FACTS.test(segment)),
    intends: some((segment) => INTENDS.test(segment)),
    plans: ahead.some((segment) => PLANS.test(segment)),
    offers: some((segment) => OFFERS.test(segment)),
    claims,
    refuses: some((segment) => REFUSES.test(segment)),
    closes: some((segment) => CLOSES.test(segment)),
    handsOver: some((segment) => HANDS_OVER.test(segment)),
  };
}
