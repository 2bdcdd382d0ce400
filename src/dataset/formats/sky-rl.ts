import { curriculumFacts } from './chat-messages.js';
import type { JsonlFormat } from './format.js';

/** One rollout of SkyRL's `GeneratorOutput`, with per-token rewards: each turn's on its last token, as SkyRL places them. */
export const skyRlFormat: JsonlFormat = {
  name: 'sky-rl',
  kind: 'jsonl',
  audio: 'none',
  summary: 'SkyRL: generator output rows with per-token rewards; needs token ids',
  convert: (row, { tokens }) => {
    if (tokens === null) return { skipped: 'no token ids' };
    return {
      values: [
        {
          prompt_token_ids: tokens.promptIds,
          response_ids: tokens.responseIds,
          rewards: tokens.tokenRewards ?? row.score,
          loss_masks: tokens.responseMask,
          stop_reason: tokens.isTruncated ? 'length' : (row.end?.reason ?? null),
          rollout_logprobs: tokens.logProbs,
          trajectory_id: { instance_id: row.group, repetition_id: row.trial },
          is_last_step: true,
          ...curriculumFacts(row),
        },
      ],
    };
  },
};
