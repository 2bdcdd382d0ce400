import { chatMessages, curriculumFacts, hasMediaTag, MEDIA_TAG_SKIPPED } from './chat-messages.js';
import { CURRICULUM_SHAPES } from './curriculum-columns.js';
import type { ParquetFormat } from './format.js';
import { toolsText } from './tools-text.js';

const text = 'string';

/**
 * verl's prompt dataset, one row per distinct opening. The audio column is a plain struct, not Hugging Face's Audio:
 * that would be decoded by the loader before verl sees it.
 */
export const verlFormat: ParquetFormat = {
  name: 'verl',
  kind: 'parquet',
  audio: 'files',
  summary: 'verl RLHFDataset: prompts with audio, one per task, mode and customer',
  columns: [
    { name: 'data_source', shape: text },
    { name: 'agent_name', shape: text },
    { name: 'prompt', shape: { list: { struct: { role: text, content: text } } } },
    { name: 'audios', shape: { list: { struct: { audio: text } } } },
    { name: 'ability', shape: text },
    { name: 'reward_model', shape: { struct: { style: text, ground_truth: text } } },
    {
      name: 'extra_info',
      shape: {
        struct: {
          ...{
            index: 'int64',
            split: text,
            task: text,
            task_hash: text,
            seed: 'int64',
            mode: text,
            pair: text,
          },
          ...{ need_tools_kwargs: 'boolean', tools: text, ...CURRICULUM_SHAPES },
        },
      },
    },
  ],
  convert: (row, { audioPath, index, split, isFirstOfPrompt }) => {
    if (!isFirstOfPrompt) return { values: [] };
    if (hasMediaTag(row)) return { skipped: MEDIA_TAG_SKIPPED };
    const first = row.messages.findIndex(({ role }) => role === 'assistant');
    const opening = first < 0 ? row.messages : row.messages.slice(0, first);
    const prompt = chatMessages({ ...row, messages: opening }, { argumentsAs: 'text', audioTag: '<audio>' });
    return {
      values: [
        {
          data_source: `parlor-${row.domain}`,
          agent_name: 'parlor',
          prompt: prompt.map(({ role, content }) => ({ role, content })),
          audios: opening.flatMap((message) =>
            message.role === 'user' && message.audio !== null ? [{ audio: audioPath(message.audio) }] : [],
          ),
          ability: row.domain === 'maths' ? 'maths' : 'tool-use',
          // What is right stays with the sandbox, which verifies; the trainer needs only the name.
          reward_model: { style: 'rule', ground_truth: row.task },
          extra_info: {
            ...{ index: BigInt(index), split, task: row.task, task_hash: row.taskHash },
            ...{ seed: BigInt(row.seed), mode: row.mode, pair: row.pair },
            ...{ need_tools_kwargs: false, tools: toolsText(row.tools) },
            ...curriculumFacts(row),
          },
        },
      ],
    };
  },
};
