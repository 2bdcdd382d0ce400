const DEED =
  '(?:cancell?ed|updated|changed|modified|processed|submitted|completed|exchanged|returned|initiated|placed|switched|swapped|requested|arranged|applied|issued|refunded|finali[sz]ed|set(?: up)?|made|marked|scheduled|registered|accepted|approved|filed|replaced|created|started|executed|done|adjusted|resolved|handled|taken care of|put through|reverted|restored|credited|successful|actioned|sent through|confirmed|saved|corrected|reset|removed|added|charged|covered)';
const LIGHT = '(?:now|just|already|all|both|successfully|also|officially|fully|each|then)';
const ACTIVE_DEED =
  '(?:cancell?ed|updated|changed|modified|processed|submitted|completed|exchanged|returned|initiated|placed|switched|swapped|requested|arranged|applied|issued|refunded|finali[sz]ed|set(?: up)?|made|marked|scheduled|filed|replaced|created|executed|done|adjusted|resolved|handled|taken care of|put through|reverted|restored|credited|corrected|reset)';

const REPORTS: readonly RegExp[] = [
  new RegExp(`\\b(?:has|have|'s|'ve)\\s+(?:${LIGHT}\\s+){0,3}been\\s+(?:${LIGHT}\\s+){0,2}${DEED}\\b`),
  new RegExp(`\\b(?:was|were|got)\\s+(?:${LIGHT}\\s+){1,2}${DEED}\\b`),
  /\b(?:cancellation|return|exchange|modification|change|update|refund|request|order|address|payment method|items?)\b.{0,30}\b(?:was|were) (?:cancell?ed|updated|changed|modified|submitted|completed|successful|exchanged|refunded|a success)\b/,
  new RegExp(
    `\\b(?:is|are|'s|'re)\\s+(?:(?:now|both|successfully|officially|already|all)\\s+){1,2}(?:${DEED}|complete|in place|in progress|under way|underway|pending \\(item|return requested|exchange requested)`,
  ),
  /\b(?:cancellation|return|exchange|modification|changes?|update|refund|requests?|everything|that|it|all|order(?: #?\w+)?|address)(?:'s| is| are) (?:complete|completed|done|cancell?ed|confirmed|finished|submitted|processed|successful|updated|set)\b(?! to\b)/,
  new RegExp(
    `\\b(?:i|we)(?:'ve|\\s+have)?\\s+(?:(?:${LIGHT}|gone ahead and|went ahead and)\\s+){0,3}${ACTIVE_DEED}\\b`,
  ),
  /\b(?:i|we)(?: was| were|'ve been| have been) able to (?:successfully )?(?:cancel|update|change|modify|process|submit|complete|return|exchange|initiate|switch|set|make)\b/,
  /\b(?:went|gone) through\b|\ball (?:set|done|taken care of)\b|^done\b|^success|\bconsider it done\b|\bwas a success\b|\bhas succeeded\b|\bcompleted successfully\b|\bfinished (?:cancel|process|updat|modify|return|exchang)\w*ing\b/,
  /^(?:the |your |order )*(?:order|return|exchange|items?|address|payment|refund|request|change|cancellation|update)s?\b[^?]{0,60}\b(?:cancell?ed|updated|changed|confirmed|completed?|submitted|successful(?:ly)?|requested)[\s.!✅]*$/,
  /\bstatus (?:is|has|was|now)\b.{0,30}\b(?:now|changed|updated)\b/,
  /\bhere(?:'s| is) what i(?:'ve| have) done\b/,
];

/** What stands before the deed and takes it back: conditions, negations, things to come. */
const TAKEN_BACK =
  /\b(?:once|after|when|if|until|unless|as soon as|before|whether|in case|ensure|make sure|no|none|nothing|neither|never|not|cannot|can't|haven't|hasn't|didn't|will|would|could|should|may|might|must|to|that you)\b[^,;:]*$/;
const NOT_YET =
  /\b(?:will|would|can|could|may|might|must|should|to) (?:now )?be\b|\bnot\b|\bstatus\b(?!.*\b(?:now|changed|updated)\b)/;
const NO_DEED =
  /\b(?:verif|authenticat|identit|identif)\w*|\bmade a note\b|\bmistake\b.{0,10}\bmade\b|\bpayment was\b|\b(?:previously|originally|last (?:week|month|year)|yesterday)\b|\bconfirmed your\b|\b(?:it (?:appears|seems|looks)|i see|i can see)\b/;

/** Does the sentence say that something was carried out? "Will be", "can be", "has not been" and questions do not. */
export function reportsDone(text: string): boolean {
  if (NO_DEED.test(text)) return false;
  return REPORTS.some((rule) => {
    const match = rule.exec(text);
    if (match === null) return false;
    if (NOT_YET.test(match[0])) return false;
    const before = text.slice(0, match.index);
    if (/\bnow that\b/.test(before)) return true;
    // "Your order has already been processed, so it cannot be cancelled" tells a state.
    if (
      /\bprocessed\b/.test(match[0]) &&
      /\border\b/.test(before) &&
      !/\b(?:return|exchange|refund|request|cancellation|changes?|modification)\b/.test(
        `${before}${match[0]}`,
      )
    )
      return false;
    return !TAKEN_BACK.test(before);
  });
}

const REFUSALS =
  /\b(?:cannot|can't|can not|unable to|not able to|won't be able|am not allowed|not allowed|not permitted|not eligible|not possible|isn't possible|impossible|must (?:decline|deny|refuse)|have to (?:decline|deny|refuse)|unfortunately|regrettably|afraid|against (?:our |the |company )?polic(?:y|ies)|polic(?:y|ies) (?:does not|doesn't|do not|don't|prohibits?|forbids?|prevents?)|don't (?:have the ability|offer|support|have a way)|do not (?:have the ability|offer|support)|not something (?:i|we)|outside (?:of )?(?:the scope|my|what)|beyond (?:the scope|my|what)|no longer (?:be |possible|eligible)|not available|out of stock|unavailable|doesn't allow|does not allow|not supported|isn't (?:supported|allowed|eligible|permitted)|aren't (?:eligible|allowed))\b/;
const NO_REFUSAL =
  /\b(?:without|until|unless|before)\b.{0,60}\b(?:you|your|verif|confirm|identity|email|provid)|\bcan(?:not|'t) be (?:undone|reversed|changed (?:again|later|afterwards)|modified (?:again|later|afterwards|further)|taken back)|\bonce\b.{0,80}\b(?:cannot|can't|won't|no longer|not be able)|\b(?:cannot|can't|unable to|not able to|couldn't) (?:find|locate|see|hear|understand|identify)\b|\bif\b[^,]{0,80}\b(?:not available|unavailable|out of stock|not possible)|\bno problem\b|\b(?:not be able to|cannot|can't|won't be able to) (?:modify|cancel|change|make)\b.{0,50}\b(?:anymore|again|afterwards|after (?:this|that))\b|\bafraid i (?:need|will need|didn't)/;

export function refuses(text: string): boolean {
  if (!REFUSALS.test(text)) return false;
  return (
    !NO_REFUSAL.test(text) ||
    /^(?:i'm|i am) (?:so |very |really )?sorry, but\b.*\bcan(?:not|'t) be\b/.test(text)
  );
}

const HAND_OVER =
  /\b(?:transfer(?:r?ed|r?ing)?|connect(?:ed|ing)?|escalat(?:e|ed|ing)|hand(?:ed|ing)?|pass(?:ed|ing)?|forward(?:ed|ing)?|refer(?:red|ring)?|put(?:ting)?)\b.{0,50}\b(?:human|representative|specialist|supervisor|live agent|agents?|someone|colleague|manager|person|team)\b|\b(?:being|be|been) transferred\b|\btransferring you\b|\bwill take over\b.{0,20}$/;

/** A hand-over that is happening, not one that is offered or denied. */
export function handsOver(text: string, question: boolean): boolean {
  if (question || !HAND_OVER.test(text)) return false;
  const before = text.slice(0, HAND_OVER.exec(text)?.index);
  return !/\b(?:cannot|can't|unable|not able|don't need|won't|would you|do you|if|could|can|may|let me know|instead of|rather than|alternatively|no need|unless|option)\b|\bif you (?:prefer|like|want|wish)\b/.test(
    before,
  );
}
