import { curriculumFacts } from './chat-messages.js';
import type { JsonlFormat } from './format.js';

/**
 * OpenEnv's `TrainingTrace`, version 1, one line per episode: each call of the engine with its ids, log-probabilities and
 * a mask over prompt and completion. Only for rows whose ids and log-probabilities the engine gave.
 */
export const openEnvFormat: JsonlFormat = {
  name: 'open-env',
  kind: 'jsonl',
  audio: 'none',
  summary: 'OpenEnv training traces; needs the engine’s own token ids and log-probabilities',
  convert: (row, { tokens }) => {
    if (tokens?.origin !== 'engine' || tokens.logProbs === null)
      return { skipped: 'no token ids and log-probabilities from the engine' };
    const { promptIds, responseIds, responseMask, logProbs, turnSpans } = tokens;
    const opening = promptIds.length;
    // Several actions can come of one reply: calls of the engine are runs of masked-in tokens, not turns.
    const turns = turnSpans.flatMap(({ start, tokens: length }, place) => {
      if (length === 0) return [];
      const [from, to] = [start - opening, start - opening + length];
      return [
        {
          node_id: `${row.id}#${place + 1}`,
          prompt_token_ids: [...promptIds, ...responseIds.slice(0, from)],
          completion_token_ids: responseIds.slice(from, to),
          per_token_logps: logProbs.slice(from, to),
          loss_mask: [...new Array<number>(start).fill(0), ...responseMask.slice(from, to)],
          metadata: {
            ...{ node_id: `${row.id}#${place + 1}`, turn: row.turns[place]?.turn ?? null },
            ...{
              reward: row.turns[place]?.verdictReward ?? null,
              advantage: row.turns[place]?.advantage ?? null,
            },
            ...{ episode: row.id, task: row.task, outcome: row.outcome },
            ...curriculumFacts(row),
          },
        },
      ];
    });
    return { values: [{ schema_version: 1, turns }] };
  },
};
