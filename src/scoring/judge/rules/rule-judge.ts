import { canonicalJson, sha256Hex } from '../../../shared/index.js';
import type { Judge, JudgeIdentity, JudgeInput, Judgement, TurnVerdict } from '../judge.js';
import { unjudgeable } from '../verdict-check.js';
import { checkAnswer } from './check-answer.js';
import { checkCalls, checkIdentification, checkOneAtATime } from './check-calls.js';
import { checkClaims } from './check-claims.js';
import { checkConfirmation } from './check-confirmation.js';
import { checkEnding, checkTransfer, checkUnsaid, checkWrongWords } from './check-ending.js';
import { checkRefusedWrites, checkWrites } from './check-writes.js';
import { type Finding, type Story, tellStory } from './story.js';

/** Raise it with every change of a check or of the reading of words: stored scores name it. */
export const RULES_VERSION = '2';

const CHECKS: readonly ((story: Story) => Finding[])[] = [
  checkWrites,
  checkConfirmation,
  checkCalls,
  checkRefusedWrites,
  checkWrongWords,
  checkEnding,
  checkTransfer,
  checkOneAtATime,
  checkUnsaid,
];
/** Checks that know the retail domain's tools and words. */
const RETAIL_CHECKS: readonly ((story: Story) => Finding[])[] = [checkIdentification, checkClaims];

const identity: JudgeIdentity = {
  name: 'rules',
  version: RULES_VERSION,
  hash: sha256Hex(canonicalJson({ judge: 'rules', version: RULES_VERSION })),
};

function verdictsOf(story: Story, findings: readonly Finding[]): TurnVerdict[] {
  const majors = findings.filter((finding) => finding.weight === 'major').map((finding) => finding.index);
  const deviation = Math.min(...majors);
  return story.turns.map(({ turn, kind }, index): TurnVerdict => {
    const here = findings.filter((finding) => finding.index === index);
    const cause = here.find((finding) => finding.weight === 'major') ?? here[0];
    if (cause === undefined) {
      const reason = kind === 'call' ? 'a call in order' : 'nothing wrong with these words';
      return { turn, verdict: 1, reason };
    }
    if (index === deviation) return { turn, verdict: -1, reason: cause.reason };
    const follows = cause.weight === 'major' ? ` (follows from turn ${story.turns[deviation]?.turn})` : '';
    return { turn, verdict: 0, reason: `${cause.reason}${follows}` };
  });
}

function judgeByRules({ record, policy }: JudgeInput): Judgement {
  const missing = unjudgeable(record, identity);
  if (missing !== null) return missing;
  const story = tellStory(record, policy);
  const isMaths = record.header.source === 'maths';
  const checks = isMaths ? [checkAnswer] : story.retail ? [...CHECKS, ...RETAIL_CHECKS] : CHECKS;
  const findings = checks.flatMap((check) => check(story));
  return { status: 'judged', judge: identity, verdicts: verdictsOf(story, findings) };
}

/**
 * A judge without a model: it compares what was done with the ground truth and knows the policy's rules that can be
 * checked. The -1 goes to the first turn with which the agent committed itself to something wrong, in words or by a
 * call; what follows from it gets 0. It reads English wording by patterns, not meaning, and never takes orders from
 * the transcript: words count only as evidence of what an agent proposed, claimed or refused.
 */
export function createRuleJudge(): Judge {
  return { identity, judge: (input) => Promise.resolve(judgeByRules(input)) };
}
