import type { RowMessage } from '../rows/row.js';
import { hasMediaTag, MEDIA_TAG_SKIPPED, rowFacts } from './chat-messages.js';
import type { JsonlFormat } from './format.js';
import { toolsText } from './tools-text.js';

/** Its own roles for calls and results; both hold JSON text. */
function swiftMessage(message: RowMessage, isDeviation: boolean): object {
  // A turn that the judge marked as the deviation is context, not an example.
  const loss = isDeviation ? { loss: false } : {};
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return { role: 'user', content: message.audio === null ? message.content : '<audio>' };
    case 'assistant': {
      if (message.toolCall === null) return { role: 'assistant', content: message.content, ...loss };
      const { name, arguments: args } = message.toolCall;
      return { role: 'tool_call', content: JSON.stringify({ name, arguments: args }), ...loss };
    }
    case 'tool':
      return { role: 'tool_response', content: message.content };
  }
}

/** ms-swift: `<audio>` once per clip, in order; calls and results as roles of their own; tools as JSON text. */
export const msSwiftFormat: JsonlFormat = {
  name: 'ms-swift',
  kind: 'jsonl',
  audio: 'files',
  summary: 'ms-swift SFT and GRPO: audio tags and files; deviating turns carry no loss',
  convert: (row, { audioPath }) => {
    if (hasMediaTag(row)) return { skipped: MEDIA_TAG_SKIPPED };
    const last = row.messages.findLastIndex(({ role }) => role === 'assistant');
    if (last < 0) return { skipped: 'the agent says nothing' };
    const messages = row.messages.slice(0, last + 1);
    const audios = messages.flatMap((message) =>
      message.role === 'user' && message.audio !== null ? [audioPath(message.audio)] : [],
    );
    const isDeviation = (message: RowMessage): boolean =>
      message.role === 'assistant' && row.turns[message.turnIndex]?.verdict === -1;
    return {
      values: [
        {
          messages: messages.map((message) => swiftMessage(message, isDeviation(message))),
          // Absent, not empty: the loader takes an empty list for a column of another type.
          ...(audios.length > 0 && { audios }),
          ...(row.tools.length > 0 && { tools: toolsText(row.tools) }),
          ...rowFacts(row),
        },
      ],
    };
  },
};
