import { chatMessage } from './chat-messages.js';
import type { JsonlFormat } from './format.js';

/** Everything that is known of an episode, in one line; the format that loses nothing. */
export const parlorFormat: JsonlFormat = {
  name: 'parlor',
  kind: 'jsonl',
  audio: 'files',
  summary: 'the whole row: messages, sound, verdicts, rewards, advantages, hashes, tokens',
  convert: (row, { audioPath, tokens }) => {
    const { messages, turns, ...facts } = row;
    const value = {
      ...facts,
      // Without the model's own token ids a row cannot be trained on as a rollout, only as text.
      rollout_type: tokens?.origin === 'engine' ? 'train' : 'eval',
      messages: messages.map((message) => ({
        ...chatMessage(message, { argumentsAs: 'text' }),
        ...(message.role === 'user' && {
          spoken: message.spoken,
          audio: message.audio === null ? null : { ...message.audio, path: audioPath(message.audio) },
        }),
        ...(message.role === 'assistant' && { reasoning: message.reasoning, turn: message.turnIndex }),
        ...(message.role === 'tool' && { ok: message.ok }),
      })),
      turns,
      tokens,
    };
    return { values: [value] };
  },
};
