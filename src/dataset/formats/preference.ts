import { canonicalJson } from '../../shared/index.js';
import type { DatasetRow, RowMessage } from '../rows/row.js';
import { chatMessages, curriculumFacts } from './chat-messages.js';
import type { PairsFormat } from './format.js';

/** What was said or done, without call ids, which are names only. */
function contentOf(message: RowMessage): string {
  if (message.role !== 'assistant') return canonicalJson([message.role, message.content]);
  const call = message.toolCall;
  return canonicalJson(['assistant', message.content, call && [call.name, call.arguments]]);
}

/** Place of the first message that differs. */
function fork(a: DatasetRow, b: DatasetRow): number {
  const length = Math.min(a.messages.length, b.messages.length);
  for (let place = 0; place < length; place += 1) {
    const [one, other] = [a.messages[place], b.messages[place]];
    if (one !== undefined && other !== undefined && contentOf(one) !== contentOf(other)) return place;
  }
  return length;
}

/**
 * Preference pairs: up to where two rollouts part, what each did there, and how each went on. `chosen` and `rejected` hold
 * the one turn at which they part, so that no word of the customer is trained on; the rest stands beside it.
 */
export const preferenceFormat: PairsFormat = {
  name: 'preference',
  kind: 'pairs',
  audio: 'none',
  summary: 'DPO and reward models (TRL): the turn at which a better and a worse rollout part, text',
  convert: ({ better, worse }) => {
    const place = fork(better, worse);
    if (better.messages[place]?.role !== 'assistant' || worse.messages[place]?.role !== 'assistant')
      return { skipped: 'the rollouts part at a word that is not the agent’s' };
    const [good, bad] = [better, worse].map((row) => chatMessages(row, { argumentsAs: 'object' }));
    return {
      values: [
        {
          prompt: good?.slice(0, place),
          chosen: good?.slice(place, place + 1),
          rejected: bad?.slice(place, place + 1),
          tools: better.tools,
          chosen_rest: JSON.stringify(good?.slice(place + 1)),
          rejected_rest: JSON.stringify(bad?.slice(place + 1)),
          ...{ chosen_score: better.score, rejected_score: worse.score },
          ...{ chosen_id: better.id, rejected_id: worse.id, task: better.task, mode: better.mode },
          ...curriculumFacts(better),
        },
      ],
    };
  },
};
