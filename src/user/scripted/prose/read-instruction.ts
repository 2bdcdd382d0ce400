import type { CustomerBrief } from '../../../retail/index.js';
import type { AgentAct } from '../reading/agent-acts.js';
import { finish, toFirstPerson } from './first-person.js';

/** Something the customer says only when the agent does one of `triggers`. */
interface HeldBack {
  readonly triggers: readonly AgentAct[];
  readonly say: string;
}

/** A prose instruction, read by rules into what is said of its own accord and what is held back. */
export interface ProseScript {
  /** In the first person, in order. */
  readonly wishes: readonly string[];
  readonly heldBack: readonly HeldBack[];
}

const BUSINESS =
  /\b(?:order|return|exchang|cancel|refund|item|bought|purchas|product|ship|deliver|receiv|money|payment|paid|price|modif|chang|address|card|paypal|stock|available|upgrade|remove|tracking|balance|unsubscribe|undo|coupon)\w*|#W\d+/i;
const WISH =
  /\b(?:want|wish|like|need|wonder|hope|prefer|would|'d|regret|decide|return|cancel|exchange|modify|change)\b/i;
const WHO_I_AM =
  /^(?:you are|you're|your name is|you name is)\s+(?:user\s+)?(?:[A-Z][\w'-]+|[a-z]+_[a-z]+_\d+)|^you (?:live|reside)\b|^your (?:email|zip)\b/i;
const CHARACTER =
  /^(?:you are|you're|your approach|you like to (?:say|talk|do|speak)|you speak|you randomly|you want to make the agent)\b/i;
const STAGE_DIRECTION =
  /^(?:please )?(?:do not|don't|do NOT|never|make sure|make everything|mention|provide|emphasi[sz]e|be|start|begin|try|complain|express|insist|threaten|act|speak|talk|keep|pretend|say|remember|answer|you do not want to reveal|you don't want to reveal|you won't reveal)\b/i;
const CONDITION = /^(?:but |and |however,? |only )?(?:if|when|once|unless|in case|as soon as|should)\b/i;
const ORDERS = /^(?:return|cancel|exchange|modify|change|use|refund|upgrade|switch)\b/i;

function splitProse(prose: string): string[] {
  return prose
    .replace(/\s*\([^()]*\b(?:reveal|do not|don't|mention|agent|common mistake)\b[^()]*\)/gi, '')
    .replace(/\b(i\.e|e\.g)\./g, '$1')
    .replace(
      /[,.]? but (if|when|once) the agent\b/gi,
      (_, word: string) => `. ${word.charAt(0).toUpperCase()}${word.slice(1)} the agent`,
    )
    .split(/(?<=[.!?])["')]*\s+(?=[A-Z"'(.]|$)|\n+|;\s+(?=[A-Z]|$)/)
    .map((part) => part.trim().replace(/^[.\s]+/, ''))
    .filter((part) => /[a-z]/i.test(part));
}

/** "You are Mei and you want to …": the wish behind the introduction; null when there is none. */
function behindIntroduction(sentence: string): string | null {
  const match =
    /\b(?:and|,|but)\s+(?:you\s+(?=want|wish|need|would|'d)|(?=want to|wish to|need to|would like to))(.*)$/i.exec(
      sentence,
    );
  return match === null ? null : `You ${match[1]?.trim()}`;
}

function withoutReveal(sentence: string): string {
  return sentence.replace(
    /,?\s*(?:but|and)?\s*(?:you |do )(?:do not|don't|not|won't|prefer not to)(?: want to)? reveal\b[^.]*/gi,
    '',
  );
}

function triggersOf(condition: string): AgentAct[] {
  if (/\bconfirm/i.test(condition)) return ['ask_confirmation'];
  if (/\bpayment|refund method|pay\b/i.test(condition) && /\bask/i.test(condition)) return ['ask_payment'];
  if (/\breason/i.test(condition)) return ['ask_reason'];
  if (/\bzip|email|name\b/i.test(condition) && /\bask/i.test(condition)) return [];
  if (/\bwhich\b/i.test(condition)) return ['ask_items', 'ask_options', 'ask_order_id'];
  const general: AgentAct[] = ['refuse', 'not_found', 'ask_options', 'ask_items', 'ask_other'];
  // "If not, …", "If the agent cannot …": told when the agent refuses or has nothing that fits.
  return /\bnot\b|n't\b|cannot|unable|only|no\b/i.test(condition) ? general : [...general, 'state'];
}

/** "mention you also want …", "ask to …": what is said then. */
function asSpeech(direction: string): string {
  const because = /^(?:do not|don't) say yes\b.*?\bbecause (.*)$/i.exec(direction);
  const body = (because?.[1] ?? direction)
    .replace(/^(?:then |just |please |also )+/i, '')
    .replace(
      /^(?:you )?(?:say|mention|tell (?:the agent|them|it)|insist|add)(?: that)? (?=you|it|the|that)/i,
      '',
    );
  if (/^ask (?:the agent )?(?:how|what|whether|if|which|when|why|where)\b/i.test(body))
    return toFirstPerson(body.replace(/^ask (?:the agent )?/i, "You'd like to know "));
  if (/^ask (?:the agent )?to\b/i.test(body))
    return toFirstPerson(body.replace(/^ask (?:the agent )?to\b/i, 'Please'));
  if (/^ask (?:the agent )?for\b/i.test(body))
    return toFirstPerson(body.replace(/^ask (?:the agent )?for\b/i, "You'd like"));
  if (/^(?:only|do not|don't|return|cancel|exchange|modify|change|use|get|keep)\b/i.test(body))
    return toFirstPerson(`Please ${body.charAt(0).toLowerCase()}${body.slice(1)}`);
  return toFirstPerson(body);
}

function readCondition(sentence: string): HeldBack | null {
  const [, condition = sentence, consequence = ''] =
    /^(.*?)(?:,\s+|\s+(?=you(?:'d| want| can| prefer| are okay)))(.*)$/i.exec(sentence) ?? [];
  const triggers = triggersOf(condition);
  if (triggers.length === 0 || consequence === '') return null;
  if (!/\bagent\b/i.test(condition) && /^(?:then )?(?:say|try|threaten|carry on|act)\b/i.test(consequence))
    return null;
  const say =
    /\bagent\b/i.test(condition) || triggers.includes('ask_confirmation')
      ? asSpeech(consequence)
      : toFirstPerson(sentence);
  return /\b(?:angry|swear)\b/i.test(say) && !BUSINESS.test(say) ? null : { triggers, say };
}

function readSentence(sentence: string, script: { wishes: string[]; heldBack: HeldBack[] }): void {
  let text = withoutReveal(sentence).trim();
  if (WHO_I_AM.test(text) || CHARACTER.test(text)) {
    const wish = behindIntroduction(text);
    if (wish !== null && BUSINESS.test(wish)) text = wish;
    else if (WHO_I_AM.test(text) && !/\b(?:moved|bought|just)\b/.test(text)) return;
    else if (
      /\b(?:reveal|brief|conversation|jokes?|talk|tersely|get things done|one go|want the refund)\b/i.test(
        text,
      ) ||
      !BUSINESS.test(text)
    )
      return;
  }
  if (CONDITION.test(text)) {
    const held = readCondition(text);
    if (held !== null) script.heldBack.push(held);
    return;
  }
  const asked = /^(?:then |also |finally,? |lastly,? |and )?(?:ask|tell)\b/i.test(text);
  if (asked) {
    script.wishes.push(
      asSpeech(
        text.replace(/^(?:then|also|and|finally,?|lastly,?) /i, '').replace(/^tell\b.*?\bthat\s+/i, ''),
      ),
    );
    return;
  }
  if (STAGE_DIRECTION.test(text) || !/[a-z]/i.test(text)) return;
  if (ORDERS.test(text))
    script.wishes.push(
      finish(`I'd like to ${toFirstPerson(text).charAt(0).toLowerCase()}${toFirstPerson(text).slice(1)}`),
    );
  else if (/\bthe agent (?:\w+s)\b/i.test(text)) return;
  else
    script.wishes.push(
      toFirstPerson(
        text.replace(/^(For #?W\d+,) (?=change|exchange|modify|return|cancel)/i, "$1 you'd like to "),
      ),
    );
}

/**
 * Reads an instruction by rules: second person becomes first, character and stage directions are dropped, conditions
 * are held back until the agent does what they speak of. It does not understand the prose; what it cannot sort is said.
 */
export function readInstruction({ instruction, parts }: CustomerBrief): ProseScript {
  const script = { wishes: [] as string[], heldBack: [] as HeldBack[] };
  const prose =
    parts === undefined
      ? [instruction]
      : [parts.reasonForCall, parts.taskInstructions, parts.knownInfo, parts.unknownInfo];
  for (const [place, text] of prose.entries()) {
    for (const sentence of splitProse(text)) {
      const ofOwnAccord = parts === undefined || place === 0;
      // Task instructions and known facts hold what is told when asked, and wishes only where they name business.
      if (
        ofOwnAccord ||
        CONDITION.test(sentence) ||
        (BUSINESS.test(sentence) && WISH.test(sentence) && place === 1)
      )
        readSentence(sentence, script);
    }
  }
  const wishes = [...new Set(script.wishes.filter((wish) => wish !== ''))];
  return { wishes, heldBack: script.heldBack.filter(({ say }) => say !== '') };
}
