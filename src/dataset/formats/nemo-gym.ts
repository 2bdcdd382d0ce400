import type { RowMessage } from '../rows/row.js';
import { curriculumFacts } from './chat-messages.js';
import type { JsonlFormat } from './format.js';

/** An item of OpenAI's Responses API. */
function itemOf(message: RowMessage, place: number): object {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.content };
    case 'tool':
      return { type: 'function_call_output', call_id: message.callId, output: message.content };
    case 'assistant':
      return message.toolCall === null
        ? {
            ...{ type: 'message', id: `msg_${place}`, role: 'assistant', status: 'completed' },
            content: [{ type: 'output_text', text: message.content ?? '', annotations: [] }],
          }
        : {
            ...{ type: 'function_call', call_id: message.toolCall.id, name: message.toolCall.name },
            arguments: JSON.stringify(message.toolCall.arguments),
          };
  }
}

/** NeMo Gym rollouts: text, for its schema has no place for sound after the first turn. */
export const nemoGymFormat: JsonlFormat = {
  name: 'nemo-gym',
  kind: 'jsonl',
  audio: 'none',
  summary: 'NeMo Gym rollouts in the shape of the Responses API, text',
  convert: (row, { index }) => {
    const tools = row.tools.map((tool) => ({ type: 'function', ...tool.function, strict: false }));
    const first = row.messages.findIndex(({ role }) => role === 'assistant');
    if (first < 0) return { skipped: 'the agent says nothing' };
    const items = row.messages.map(itemOf);
    return {
      values: [
        {
          responses_create_params: {
            input: items.slice(0, first),
            tools,
          },
          // Fields that the schema asks for; records know no clock.
          response: {
            ...{ id: row.id, object: 'response', created_at: 0, model: row.agent, status: 'completed' },
            output: items.slice(first),
            ...{ tools, tool_choice: 'auto', parallel_tool_calls: false },
          },
          reward: row.score,
          reward_components: {
            outcome: row.outcomeReward,
            turns: row.turns.map((turn) => turn.verdictReward),
          },
          verifier_metadata: {
            ...{ task: row.task, seed: row.seed, mode: row.mode, kind: row.kind },
            ...(row.liveJudge === null ? {} : { live_judge: row.liveJudge }),
            ...curriculumFacts(row),
          },
          ...{ _ng_task_index: index, _ng_rollout_index: row.trial },
        },
      ],
    };
  },
};
