import type { RowMessage } from '../rows/row.js';
import { chatMessage } from './chat-messages.js';
import type { JsonlFormat } from './format.js';

/** OpenAI's fine-tuning file: text only. A turn that the judge marked as the deviation gets weight 0. */
export const openAiFormat: JsonlFormat = {
  name: 'openai',
  kind: 'jsonl',
  audio: 'none',
  summary: 'OpenAI fine-tuning, text; deviating turns have weight 0',
  convert: (row) => {
    const last = row.messages.findLastIndex(({ role }) => role === 'assistant');
    if (last < 0) return { skipped: 'the agent says nothing' };
    const isDeviation = (message: RowMessage): boolean =>
      message.role === 'assistant' && row.turns[message.turnIndex]?.verdict === -1;
    return {
      values: [
        {
          // What comes after the agent's last turn teaches nothing, and the service refuses it.
          messages: row.messages.slice(0, last + 1).map((message) => ({
            ...chatMessage(message, { argumentsAs: 'text' }),
            ...(isDeviation(message) && { weight: 0 }),
          })),
          ...(row.tools.length > 0 && { tools: row.tools, parallel_tool_calls: false }),
        },
      ],
    };
  },
};
