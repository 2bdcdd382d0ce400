import type { Column } from '../parquet/column.js';
import { chatMessages, curriculumFacts } from './chat-messages.js';
import { CURRICULUM_SHAPES } from './curriculum-columns.js';
import type { ParquetFormat } from './format.js';
import { toolsText } from './tools-text.js';

const ints = { list: 'int64' } as const;
const floats = { list: 'double' } as const;

const COLUMNS: readonly Column[] = [
  { name: 'uid', shape: 'string' },
  { name: 'id', shape: 'string' },
  { name: 'data_source', shape: 'string' },
  { name: 'messages', shape: 'string' },
  { name: 'tools', shape: 'string' },
  { name: 'audios', shape: { list: { struct: { audio: 'string' } } } },
  { name: 'rollout_type', shape: 'string' },
  { name: 'prompt_ids', shape: ints },
  { name: 'response_ids', shape: ints },
  { name: 'response_mask', shape: ints },
  { name: 'rollout_log_probs', shape: floats },
  { name: 'token_level_rewards', shape: floats },
  { name: 'token_advantages', shape: floats },
  { name: 'turn_starts', shape: ints },
  { name: 'turn_ends', shape: ints },
  { name: 'turn_scores', shape: floats },
  { name: 'turn_verdicts', shape: ints },
  { name: 'turn_advantages', shape: floats },
  { name: 'tool_rewards', shape: floats },
  { name: 'outcome_score', shape: 'double' },
  { name: 'reward_score', shape: 'double' },
  { name: 'num_turns', shape: 'int64' },
  {
    name: 'extra_info',
    shape: {
      struct: {
        ...{
          split: 'string',
          task: 'string',
          task_hash: 'string',
          seed: 'int64',
          trial: 'int64',
          mode: 'string',
        },
        ...{ kind: 'string', outcome: 'int64', end_reason: 'string', is_truncated: 'boolean' },
        ...{ live_judge: 'string', ...CURRICULUM_SHAPES },
      },
    },
  },
];

const big = (values: readonly number[]): bigint[] => values.map((value) => BigInt(value));
const bigOrNull = (value: number | null): bigint | null => (value === null ? null : BigInt(value));

/**
 * Finished rollouts in the terms of verl's `AgentLoopOutput`: ids, response mask, log-probabilities, turn scores. Columns
 * of tokens are null where the rows have none. `uid` names the group that advantages are compared in. The turn scores
 * and the outcome score sum to `reward_score`, which is S; `token_level_rewards` sums to it too.
 */
export const verlTrajectoriesFormat: ParquetFormat = {
  name: 'verl-trajectories',
  kind: 'parquet',
  audio: 'files',
  summary: 'verl, offline: rollouts with response masks, token and turn rewards, advantages',
  columns: COLUMNS,
  convert: (row, { audioPath, tokens, split }) => ({
    values: [
      {
        ...{ uid: row.group, id: row.id, data_source: `parlor-${row.domain}` },
        messages: JSON.stringify(chatMessages(row, { argumentsAs: 'text', audioTag: '<audio>' })),
        tools: toolsText(row.tools),
        audios: row.messages.flatMap((message) =>
          message.role === 'user' && message.audio !== null ? [{ audio: audioPath(message.audio) }] : [],
        ),
        rollout_type: tokens?.origin === 'engine' ? 'train' : 'eval',
        prompt_ids: tokens && big(tokens.promptIds),
        response_ids: tokens && big(tokens.responseIds),
        response_mask: tokens && big(tokens.responseMask),
        rollout_log_probs: tokens?.logProbs ?? null,
        token_level_rewards: tokens?.tokenRewards ?? null,
        token_advantages: tokens?.tokenAdvantages ?? null,
        turn_starts: tokens && big(tokens.turnSpans.map(({ start }) => start)),
        turn_ends: tokens && big(tokens.turnSpans.map(({ start, tokens: length }) => start + length)),
        turn_scores: row.turns.map(({ verdictReward }) => verdictReward),
        turn_verdicts: row.turns.map(({ verdict }) => bigOrNull(verdict)),
        turn_advantages: row.turns.map(({ advantage }) => advantage),
        tool_rewards: row.turns.map(({ tierReward }) => tierReward),
        ...{ outcome_score: row.outcomeReward, reward_score: row.score, num_turns: BigInt(row.turns.length) },
        extra_info: {
          ...{ split, task: row.task, task_hash: row.taskHash, seed: BigInt(row.seed) },
          ...{ trial: BigInt(row.trial), mode: row.mode, kind: row.kind, outcome: bigOrNull(row.outcome) },
          ...{ end_reason: row.end?.reason ?? null, is_truncated: tokens?.isTruncated ?? null },
          live_judge: row.liveJudge,
          ...curriculumFacts(row),
        },
      },
    ],
  }),
};
