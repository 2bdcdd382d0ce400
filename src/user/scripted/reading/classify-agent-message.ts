import type { AgentAct, AgentReading, ReadSentence } from './agent-acts.js';
import { asksForYes } from './confirmation-rules.js';
import { handsOver, refuses, reportsDone } from './report-rules.js';
import { askedSlots, isAsking } from './request-rules.js';
import { fold, type Sentence, splitSentences } from './sentences.js';

const ANYTHING_ELSE =
  /\banything (?:else|more|further)\b|\bsomething else\b|\b(?:any|have) (?:other|more|further|additional) (?:questions?|requests?|things?|issues?|concerns?|help)\b|\bwhat else\b|\b(?:further|additional|more|other) (?:assistance|help|questions?|concerns?|requests?)\b|\bhelp you with (?:today )?(?:besides|as well)\b|\belse (?:i|we) can\b|\bany(?:thing)? other(?: \w+)? (?:i|we) can\b/;
const NEED =
  /\bhow (?:can|may|could|might) (?:i|we) (?:help|assist|be of)|\bwhat (?:can|could|may) (?:i|we) (?:do|help|assist)|\bwhat (?:would you like|do you (?:want|need|wish)|are you looking|brings you|seems to be|is the (?:issue|problem))|\bwhat's (?:going on|the (?:issue|problem)|next)|\btell me (?:more|what|about)\b|\bwhat would you like (?:to do|me to do|help with|done)|\bhow would you like to proceed\b|\b(?:describe|explain)\b.{0,30}\b(?:issue|problem|request|need)/;
const NOT_FOUND =
  /\b(?:couldn't|could not|can't|cannot|unable to|wasn't able to|was not able to|didn't|did not|don't|do not|not able to)\b.{0,12}\b(?:find|locate|see|match)\b|\b(?:no|not) (?:user|account|record|order|customer|profile)s? (?:was |were |is |are )?(?:found|match)|\bnot found\b|\bdoes(?:n't| not) match\b/;
const HOLD =
  /\b(?:one|just a|a) (?:moment|second|sec|minute)\b|\b(?:please |kindly )?hold (?:on|the line)\b|\bplease hold\b|\bbear with me\b|\blet me (?:just |quickly |now |first |go ahead and )*(?:check|look|pull|find|see|verify|retrieve|get|review|locate|fetch|calculate|confirm|access)\b|\b(?:i'll|i will|i'm going to|i am going to) (?:just |now |quickly |first )*(?:check|look|pull|find|retrieve|review|fetch|locate)\b|\b(?:checking|looking (?:into|up)|pulling up|retrieving) (?:that|this|your|it|the)\b/;
const GREETING =
  /^(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|welcome|greetings|thank(?:s| you) for (?:calling|contacting|reaching))\b/;

/** Statements that tell a state of affairs: what a customer who asked something is waiting for. */
function statesFact(text: string): boolean {
  return !/\b(?:verified|located|authenticated|found your (?:account|profile)|thank|sorry|welcome|pleasure|great day|understand)\b/.test(
    text,
  );
}

function readSentence(sentence: Sentence): Set<AgentAct> {
  const { text, question } = sentence;
  const acts = new Set<AgentAct>();
  const asking = isAsking(sentence);
  if (
    ANYTHING_ELSE.test(text) &&
    !/\b(?:items?|else to (?:return|exchange|modify|change|cancel))\b/.test(text)
  )
    acts.add('ask_anything_else');
  const handing = handsOver(text, question);
  if (handing) acts.add('hand_over');
  const yes = !handing && !acts.has('ask_anything_else') && asksForYes(text);
  if (yes) acts.add('ask_confirmation');
  for (const slot of acts.has('ask_anything_else') ? [] : askedSlots(sentence, yes)) acts.add(slot);
  if (NEED.test(text) && acts.size === 0) acts.add('ask_need');
  if (NOT_FOUND.test(text)) acts.add('not_found');
  if (!question && !yes && reportsDone(text)) acts.add('report_done');
  if (!question && refuses(text)) acts.add('refuse');
  if (!asking && HOLD.test(text) && !handing) acts.add('hold_on');
  if (GREETING.test(text) && !question) acts.add('greet');
  if (acts.size > 0) return acts;
  if (question) acts.add('ask_other');
  else if (!asking && statesFact(text)) acts.add('state');
  return acts;
}

/**
 * Reads an agent's message by rules: which acts each sentence performs. It knows English wording of many styles, not
 * meaning; what it does not recognise has no act. Time is linear in the text, and long texts are cut (see `sentences.ts`).
 */
export function classifyAgentMessage(agentText: string): AgentReading {
  const sentences: ReadSentence[] = splitSentences(agentText).map((sentence) => ({
    text: sentence.text,
    acts: readSentence(sentence),
  }));
  const acts = new Set(sentences.flatMap(({ acts: found }) => [...found]));
  return { acts, sentences, folded: fold(agentText.slice(0, 20_000)) };
}
