import type { DatasetRow, RowMessage } from '../rows/row.js';

/** A message in the shape of OpenAI's chat API. */
export interface ChatMessage {
  readonly role: RowMessage['role'];
  readonly content: string | null;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly type: 'function';
    readonly function: { readonly name: string; readonly arguments: unknown };
  }[];
  readonly tool_call_id?: string;
  readonly name?: string;
}

export interface ChatOptions {
  /** What stands for a customer's turn that is sound; default: its written form. */
  readonly audioTag?: string;
  /** OpenAI's API writes arguments as JSON text, chat templates take them as objects. */
  readonly argumentsAs: 'text' | 'object';
}

export function chatMessage(message: RowMessage, options: ChatOptions): ChatMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return {
        role: 'user',
        content:
          message.audio !== null && options.audioTag !== undefined ? options.audioTag : message.content,
      };
    case 'assistant': {
      const { content, toolCall } = message;
      if (toolCall === null) return { role: 'assistant', content };
      const { id, name } = toolCall;
      const args = options.argumentsAs === 'text' ? JSON.stringify(toolCall.arguments) : toolCall.arguments;
      const call = { id, type: 'function', function: { name, arguments: args } } as const;
      return { role: 'assistant', content: null, tool_calls: [call] };
    }
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, name: message.name, content: message.content };
  }
}

export function chatMessages(row: DatasetRow, options: ChatOptions): ChatMessage[] {
  return row.messages.map((message) => chatMessage(message, options));
}

/** Tags that trainers replace by media. In a customer's own words they would shift every clip after them. */
const MEDIA_TAG = /<(?:audio|image|video)>/;
export const MEDIA_TAG_SKIPPED = 'its text holds a media tag such as <audio>';

export function hasMediaTag(row: DatasetRow): boolean {
  return row.messages.some(({ content }) => content !== null && MEDIA_TAG.test(content));
}

/** The row's place in a curriculum; nothing where it has none. */
export function curriculumFacts({ curriculum }: DatasetRow) {
  if (curriculum === null) return {};
  const { step, phase, source, variant } = curriculum;
  return { step, phase, source, variant };
}

/** What every format carries beside the conversation. */
export function rowFacts(row: DatasetRow) {
  return {
    id: row.id,
    ...{ task: row.task, mode: row.mode, seed: row.seed, trial: row.trial, group: row.group },
    ...{ outcome: row.outcome, score: row.score, kind: row.kind },
    ...(row.liveJudge === null ? {} : { live_judge: row.liveJudge }),
    ...curriculumFacts(row),
  };
}
