import type { EpisodeRecord, OutcomeEvent } from '../../episodes/index.js';
import type { EndOwner, EndReason } from '../../protocol/index.js';

/** Numbers of one finished episode, read off its record. */
export interface EpisodeFacts {
  readonly success: boolean;
  readonly reward: number;
  readonly reason: EndReason;
  readonly owner: EndOwner;
  /** Agent actions: messages and tool calls. */
  readonly turns: number;
  readonly agentMessages: number;
  readonly toolCalls: number;
  /** Calls that gave an error, and messages of the agent's that could not be taken. */
  readonly toolErrors: number;
  readonly customerWords: number;
  /** Length of all customer audio; 0 in text mode. */
  readonly audioSeconds: number;
  readonly scores: OutcomeEvent['scores'];
  readonly unscored: readonly string[];
}

function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

/** Null for an episode without an end and an outcome. */
export function readFacts(record: EpisodeRecord): EpisodeFacts | null {
  const { end, outcome } = record;
  if (end === null || outcome === null) return null;
  let agentMessages = 0;
  let toolCalls = 0;
  let toolErrors = 0;
  let customerWords = 0;
  let audioMs = 0;
  for (const event of record.events) {
    if (event.type === 'agent') agentMessages += 1;
    else if (event.type === 'tool_call') toolCalls += 1;
    else if (event.type === 'agent_error' || (event.type === 'tool_result' && !event.ok)) toolErrors += 1;
    else if (event.type === 'customer') {
      customerWords += countWords(event.text);
      audioMs += event.audio?.durationMs ?? 0;
    }
  }
  return {
    success: outcome.success,
    reward: outcome.reward,
    reason: end.reason,
    owner: end.owner,
    turns: agentMessages + toolCalls,
    agentMessages,
    toolCalls,
    toolErrors,
    customerWords,
    audioSeconds: audioMs / 1000,
    scores: outcome.scores,
    unscored: outcome.unscored,
  };
}
