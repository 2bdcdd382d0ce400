import type { EpisodeRecord } from '../../episodes/index.js';
import type { AssistantMessage, RowMessage } from './row.js';

/** A record's conversation as chat messages, without the system message. */
export interface Conversation {
  readonly messages: readonly RowMessage[];
  readonly agentErrors: number;
}

export interface ConversationOptions {
  /** Whether the customer's utterance of this number goes in as sound, where there is sound. */
  readonly asAudio: (utterance: number) => boolean;
}

/**
 * One message per event, in the order in which the agent lived them. Messages that the sandbox refused are left out and
 * counted: the customer never heard them and they are no turns.
 */
export function conversationOf(record: EpisodeRecord, { asAudio }: ConversationOptions): Conversation {
  const messages: RowMessage[] = [];
  const waiting = new Map<string, string>();
  let turnIndex = 0;
  let agentErrors = 0;
  const assistant = (rest: Pick<AssistantMessage, 'content' | 'reasoning' | 'toolCall'>): void => {
    messages.push({ role: 'assistant', ...rest, turnIndex });
    turnIndex += 1;
  };
  for (const event of record.events) {
    if (event.type === 'customer') {
      // A customer who hangs up without a word says nothing that a model could be shown.
      if (event.text === '' && event.audio === null) continue;
      messages.push({
        role: 'user',
        content: event.text,
        spoken: event.spoken,
        audio: event.audio !== null && asAudio(event.utterance) ? event.audio : null,
      });
    } else if (event.type === 'agent')
      assistant({ content: event.text, reasoning: event.reasoning, toolCall: null });
    else if (event.type === 'tool_call') {
      const { callId: id, name, reasoning } = event;
      assistant({ content: null, reasoning, toolCall: { id, name, arguments: event.arguments } });
      waiting.set(id, name);
    } else if (event.type === 'tool_result') {
      const { callId, ok, content } = event;
      messages.push({ role: 'tool', callId, name: waiting.get(callId) ?? '', ok, content });
      waiting.delete(callId);
    } else if (event.type === 'agent_error') agentErrors += 1;
  }
  return { messages, agentErrors };
}
