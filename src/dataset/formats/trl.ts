import { chatMessages, rowFacts } from './chat-messages.js';
import type { JsonlFormat } from './format.js';

/** TRL's conversational language-modelling rows, text. */
export const trlFormat: JsonlFormat = {
  name: 'trl',
  kind: 'jsonl',
  audio: 'none',
  summary: 'TRL SFTTrainer: conversational rows with tool calls, text',
  convert: (row) => {
    const messages = chatMessages(row, { argumentsAs: 'object' });
    const last = messages.findLastIndex(({ role }) => role === 'assistant');
    if (last < 0) return { skipped: 'the agent says nothing' };
    return { values: [{ messages: messages.slice(0, last + 1), tools: row.tools, ...rowFacts(row) }] };
  },
};
