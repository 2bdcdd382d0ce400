import type { RowMessage } from '../rows/row.js';
import { hasMediaTag, MEDIA_TAG_SKIPPED } from './chat-messages.js';
import type { JsonlFormat } from './format.js';

type Said = { readonly from: 'human' | 'gpt' | 'function_call' | 'observation'; readonly value: string };

function said(message: Exclude<RowMessage, { role: 'system' }>): Said {
  switch (message.role) {
    case 'user':
      return { from: 'human', value: message.audio === null ? message.content : '<audio>' };
    case 'assistant': {
      if (message.toolCall === null) return { from: 'gpt', value: message.content ?? '' };
      const { name, arguments: args } = message.toolCall;
      return { from: 'function_call', value: JSON.stringify({ name, arguments: args }) };
    }
    case 'tool':
      return { from: 'observation', value: message.content };
  }
}

/** Odd places speak to the model, even ones are the model's; the loader drops a row that breaks this, so do we, aloud. */
function alternates(conversation: readonly Said[]): boolean {
  return conversation.every(({ from }, place) =>
    place % 2 === 0 ? from === 'human' || from === 'observation' : from === 'gpt' || from === 'function_call',
  );
}

const TAGS = {
  ...{ role_tag: 'from', content_tag: 'value', user_tag: 'human', assistant_tag: 'gpt' },
  ...{ observation_tag: 'observation', function_tag: 'function_call' },
};

/** LLaMA-Factory's ShareGPT form with audio, and the `dataset_info.json` that it is found by. */
export const llamaFactoryFormat: JsonlFormat = {
  name: 'llama-factory',
  kind: 'jsonl',
  audio: 'files',
  summary: 'LLaMA-Factory SFT: ShareGPT with audio tags and files, dataset_info.json beside it',
  convert: (row, { audioPath }) => {
    if (hasMediaTag(row)) return { skipped: MEDIA_TAG_SKIPPED };
    const last = row.messages.findLastIndex(({ role }) => role === 'assistant');
    const messages = row.messages.slice(0, last + 1);
    const system = messages[0]?.role === 'system' ? messages[0].content : '';
    const spoken = messages.filter((message) => message.role !== 'system');
    const conversations = spoken.map(said);
    if (last < 0) return { skipped: 'the agent says nothing' };
    if (!alternates(conversations)) return { skipped: 'speakers do not alternate' };
    const audios = spoken.flatMap((message) =>
      message.role === 'user' && message.audio !== null ? [audioPath(message.audio)] : [],
    );
    const tools = row.tools.length === 0 ? '' : JSON.stringify(row.tools.map((tool) => tool.function));
    return { values: [{ conversations, system, tools, audios }] };
  },
  companions: (files) => {
    const info = Object.fromEntries(
      files.map((path) => {
        const file = path.split('/').at(-1) ?? path;
        const columns = { messages: 'conversations', system: 'system', tools: 'tools', audios: 'audios' };
        const name = `parlor_${file.replace('.jsonl', '').replaceAll('-', '_')}`;
        return [name, { file_name: file, formatting: 'sharegpt', columns, tags: TAGS }];
      }),
    );
    return new Map([['dataset_info.json', `${JSON.stringify(info, null, 2)}\n`]]);
  },
};
