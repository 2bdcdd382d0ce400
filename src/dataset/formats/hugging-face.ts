import { type Column, huggingFaceFeatures } from '../parquet/column.js';
import { chatMessages, curriculumFacts } from './chat-messages.js';
import { CURRICULUM_COLUMNS } from './curriculum-columns.js';
import type { ParquetFormat } from './format.js';
import { toolsText } from './tools-text.js';

const COLUMNS: readonly Column[] = [
  { name: 'id', shape: 'string' },
  { name: 'task', shape: 'string' },
  { name: 'group', shape: 'string' },
  { name: 'mode', shape: 'string' },
  { name: 'seed', shape: 'int64' },
  { name: 'trial', shape: 'int32' },
  { name: 'voice', shape: 'string' },
  {
    name: 'messages',
    shape: {
      list: {
        struct: {
          ...{
            role: 'string',
            content: 'string',
            spoken: 'string',
            tool_calls: 'string',
            tool_call_id: 'string',
          },
          ...{ name: 'string', clip: 'int32', turn: 'int32' },
        },
      },
    },
  },
  { name: 'clips', shape: { list: 'audio' } },
  { name: 'clip_seconds', shape: { list: 'double' } },
  { name: 'tools', shape: 'string' },
  {
    name: 'turns',
    shape: {
      list: {
        struct: {
          ...{ kind: 'string', tier: 'string', verdict: 'int32', reason: 'string', verdict_reward: 'double' },
          ...{ tier_reward: 'double', advantage: 'double' },
        },
      },
    },
  },
  { name: 'outcome', shape: 'int32' },
  { name: 'outcome_reward', shape: 'double' },
  { name: 'score', shape: 'double' },
  { name: 'kind', shape: 'string' },
  { name: 'live_judge', shape: 'string' },
  ...CURRICULUM_COLUMNS,
];

/** Hugging Face `datasets`: the sound stands in the file, as its Audio feature; a message names its clip by place. */
export const huggingFaceFormat: ParquetFormat = {
  name: 'hugging-face',
  kind: 'parquet',
  audio: 'embedded',
  summary: 'Hugging Face datasets: parquet with an Audio feature, sound inside',
  columns: COLUMNS,
  metadata: { huggingface: huggingFaceFeatures(COLUMNS) },
  convert: (row, { audioBytes, audioFormat }) => {
    const clips = row.messages.flatMap((message) =>
      message.role === 'user' && message.audio !== null ? [message.audio] : [],
    );
    let clip = 0;
    const messages = chatMessages(row, { argumentsAs: 'text' }).map((message, place) => {
      const own = row.messages[place];
      const isHeard = own?.role === 'user' && own.audio !== null;
      return {
        ...{ role: message.role, content: message.content, name: message.name },
        spoken: own?.role === 'user' ? own.spoken : null,
        tool_calls: message.tool_calls === undefined ? null : JSON.stringify(message.tool_calls),
        tool_call_id: message.tool_call_id,
        clip: isHeard ? clip++ : null,
        turn: own?.role === 'assistant' ? own.turnIndex : null,
      };
    });
    return {
      values: [
        {
          ...{ id: row.id, task: row.task, group: row.group, mode: row.mode, seed: BigInt(row.seed) },
          ...{ trial: row.trial, voice: row.voice, messages },
          clips: clips.map(({ sha256 }) => ({
            bytes: audioBytes({ sha256 }),
            path: `${sha256}.${audioFormat}`,
          })),
          clip_seconds: clips.map(({ samples, sampleRateHz }) => samples / sampleRateHz),
          tools: toolsText(row.tools),
          turns: row.turns.map(({ kind, tier, verdict, reason, verdictReward, tierReward, advantage }) => ({
            ...{
              kind,
              tier,
              verdict,
              reason,
              verdict_reward: verdictReward,
              tier_reward: tierReward,
              advantage,
            },
          })),
          ...{ outcome: row.outcome, outcome_reward: row.outcomeReward, score: row.score, kind: row.kind },
          live_judge: row.liveJudge,
          ...curriculumFacts(row),
        },
      ],
    };
  },
};
