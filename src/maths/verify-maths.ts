import type { Outcome, VerifyInput } from '../retail/index.js';
import { hasBox, verifyAnswer } from './extract-answer.js';
import { answerOf } from './maths-domain.js';

/**
 * The verdict on a maths episode, in the fields of a retail one. The last message with a box counts, else the last message;
 * `communicate` is 1 when its answer is the right number. Nothing can be written, so `database` and `writes` are 1; the
 * answer alone decides, whatever the rule.
 */
export function verifyMaths({ task, agentMessages, rule, endedInOrder }: VerifyInput): Outcome {
  const said = agentMessages.findLast(hasBox) ?? agentMessages.at(-1) ?? '';
  const right = verifyAnswer(said, answerOf(task));
  const reward = endedInOrder ? right : 0;
  return {
    ...{ rule, reward, success: reward === 1 },
    scores: { database: 1, writes: 1, communicate: right, actions: null, assertions: null },
    ...{ unscored: [], difference: [], unsaid: right === 1 ? [] : [...task.communicate] },
  };
}
