import type { DatasetRow } from '../rows/row.js';
import { chatMessage, curriculumFacts } from './chat-messages.js';
import type { JsonlFormat } from './format.js';

function stepText(row: DatasetRow, place: number): string {
  const message = row.messages[place];
  if (message?.role !== 'assistant') return '';
  const { content, toolCall } = message;
  return toolCall === null
    ? (content ?? '')
    : JSON.stringify({ name: toolCall.name, arguments: toolCall.arguments });
}

/**
 * Labels for process reward models, one row per judged episode: the agent's steps with a verdict each, and for each what
 * the agent had been told since its step before. `prompt`, `completions` and `labels` are TRL's stepwise form.
 */
export const stepsFormat: JsonlFormat = {
  name: 'steps',
  kind: 'jsonl',
  audio: 'none',
  summary: 'process reward models: steps with labels and verdicts (TRL stepwise form), text',
  convert: (row) => {
    if (row.turns.length === 0 || row.turns.some(({ verdict }) => verdict === null))
      return { skipped: 'not judged' };
    const first = row.turns[0]?.message ?? 0;
    const opening = row.messages
      .slice(0, first)
      .map((message) => chatMessage(message, { argumentsAs: 'text' }));
    return {
      values: [
        {
          id: row.id,
          prompt: opening.map(({ role, content }) => `${role}: ${content}`).join('\n\n'),
          completions: row.turns.map(({ message }) => stepText(row, message)),
          labels: row.turns.map(({ verdict }) => verdict === 1),
          verdicts: row.turns.map(({ verdict }) => verdict),
          reasons: row.turns.map(({ reason }) => reason ?? ''),
          tiers: row.turns.map(({ tier }) => tier ?? ''),
          advantages: row.turns.map(({ advantage }) => advantage),
          observations: row.turns.map(({ message }, place) => {
            const next = row.turns[place + 1]?.message ?? row.messages.length;
            return row.messages.slice(message + 1, next).map(({ content }) => content ?? '');
          }),
          outcome: row.outcome,
          ...curriculumFacts(row),
        },
      ],
    };
  },
};
