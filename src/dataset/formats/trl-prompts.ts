import { chatMessages, curriculumFacts } from './chat-messages.js';
import type { JsonlFormat } from './format.js';

/** One row per distinct opening: what an online trainer starts an episode from. */
export const trlPromptsFormat: JsonlFormat = {
  name: 'trl-prompts',
  kind: 'jsonl',
  audio: 'none',
  summary: 'TRL GRPOTrainer: prompts for an environment, one per task, mode and customer',
  convert: (row, { isFirstOfPrompt }) => {
    if (!isFirstOfPrompt) return { values: [] };
    const messages = chatMessages(row, { argumentsAs: 'object' });
    const first = messages.findIndex(({ role }) => role === 'assistant');
    const prompt = first < 0 ? messages : messages.slice(0, first);
    // `reset(**row)` of the environment reads these: the same task, seed and mode give the same customer.
    return { values: [{ prompt, task: row.task, seed: row.seed, mode: row.mode, ...curriculumFacts(row) }] };
  },
};
