import { fold } from './folding.js';

const STRONG =
  /\b(?:yes|yep|yeah|yup|go ahead|proceed|confirm(?:ed)?|please do|do it|do that|absolutely|affirmative|that's (?:right|correct|it|fine|perfect|good)|that is (?:right|correct|fine)|correct)\b/;
const WEAK =
  /\b(?:sure|ok(?:ay)?|fine|sounds? (?:good|right|great)|looks? (?:good|right)|great|perfect|good|please|works|alright|all right|right|agree[d]?|definitely|certainly|of course|thanks?|thank you|exactly|you can|happy with|(?:just|only|then|so) (?:change|cancel|return|exchange|modify|update|swap|switch|use|do))\b/;
const DENIAL =
  /^(?:(?:um|uh|oh|hmm|well|wait|sorry|actually)[,.\s]+)*(?:no\b(?! (?:problem|worries|other|more|further|need to|i (?:don't|do not) (?:have|need)|changes|that's (?:all|it|everything)|issue))|nope\b|please don't|don't|do not|stop\b|hold on|wait\b|not (?:yet|really|now)|that's (?:not|wrong)|that is (?:not|wrong)|cancel that)/;
const NOTHING_MORE =
  /^no\b[,.\s]*(?:thanks?|thank you|that's (?:all|it|everything|correct|right|fine|good)|that is (?:all|it|everything|correct)|nothing|only|just|those|it's|this is)/;

/** `yes`: says so outright. `agrees`: content, without a yes. `no`: refuses or corrects. `other`: none of these. */
export type Reply = 'yes' | 'agrees' | 'no' | 'other';

/** How the customer took what it was told. A correction that begins with "yes" is a yes; "no, that's all" is content. */
export function readReply(text: string): Reply {
  const folded = fold(text).trim();
  if (NOTHING_MORE.test(folded)) return STRONG.test(folded.slice(3)) ? 'yes' : 'agrees';
  if (DENIAL.test(folded)) return /\b(?:yes|go ahead|proceed)\b/.test(folded) ? 'agrees' : 'no';
  if (/\b(?:not|n't) (?:yet |want to )?(?:confirm|proceed|go ahead|agree)/.test(folded)) return 'no';
  if (STRONG.test(folded)) return 'yes';
  return WEAK.test(folded) ? 'agrees' : 'other';
}

/** "No, that's all", "Bye": the customer asks for nothing more. */
export function wantsNothingMore(text: string): boolean {
  const folded = fold(text).trim();
  return (
    NOTHING_MORE.test(folded) ||
    /\b(?:that's (?:all|it|everything)|that is (?:all|everything)|nothing (?:else|more)|bye|goodbye)\b/.test(
      folded,
    )
  );
}
