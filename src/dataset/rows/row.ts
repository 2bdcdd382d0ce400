import type { Mode } from '../../protocol/index.js';
import type { CurriculumLabel } from '../curriculum/label.js';
import type { ToolSchema } from './tool-schema.js';

/** Raised when rows of the same episode come out otherwise. */
export const ROW_VERSION = 2;

/** Sound of one customer turn; the content hash is its name everywhere. */
export interface AudioClip {
  readonly sha256: string;
  readonly sampleRateHz: number;
  readonly samples: number;
  readonly durationMs: number;
}

export interface SystemMessage {
  readonly role: 'system';
  /** The policy, as the agent was given it. */
  readonly content: string;
}

export interface UserMessage {
  readonly role: 'user';
  /** Written form. */
  readonly content: string;
  /** What was said aloud; null: the customer wrote. */
  readonly spoken: string | null;
  /** The sound that the agent got; null: it read the text. */
  readonly audio: AudioClip | null;
}

export interface RowToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** One turn of the agent: a message or one tool call. */
export interface AssistantMessage {
  readonly role: 'assistant';
  /** Null: a tool call. */
  readonly content: string | null;
  readonly reasoning: string | null;
  readonly toolCall: RowToolCall | null;
  /** Place in the row's `turns`. */
  readonly turnIndex: number;
}

export interface ToolMessage {
  readonly role: 'tool';
  readonly callId: string;
  readonly name: string;
  readonly ok: boolean;
  readonly content: string;
}

export type RowMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** What one turn of the agent was worth. Numbers are null where nothing gave them, which is never 0. */
export interface RowTurn {
  /** The record's turn number. */
  readonly turn: number;
  readonly kind: 'message' | 'call';
  /** Place in the row's `messages`. */
  readonly message: number;
  readonly tier: string | null;
  readonly tierReward: number | null;
  readonly verdict: -1 | 0 | 1 | null;
  readonly reason: string | null;
  /** What the verdict adds to S. */
  readonly verdictReward: number | null;
  readonly advantage: number | null;
}

/** One episode as training data sees it; every format is made from it. */
export interface DatasetRow {
  readonly version: typeof ROW_VERSION;
  /** Unique in a dataset: the episode's id, with the run's number in front when there are several. */
  readonly id: string;
  readonly episode: string;
  /** Rollouts of one group are compared with each other: same task, same mode. */
  readonly group: string;
  /** The same in the speech and the text episode of one task, seed and customer script. */
  readonly pair: string;
  readonly task: string;
  /** SHA-256 of what the task asks for, without its name and split. */
  readonly taskHash: string;
  /** What the task is about; a maths row has no tools. */
  readonly domain: 'retail' | 'maths';
  /** Step and kind of the task in a curriculum; null: it belongs to none. */
  readonly curriculum: CurriculumLabel | null;
  readonly mode: Mode;
  readonly seed: number;
  readonly trial: number;
  readonly agent: string;
  /** The judge that could break in before wrong actions while it was played; null: none did. */
  readonly liveJudge: string | null;
  readonly customer: string;
  readonly voice: string | null;
  readonly voiceLicence: string | null;
  readonly hashes: { readonly world: string; readonly policy: string; readonly tools: string };
  readonly messages: readonly RowMessage[];
  readonly tools: readonly ToolSchema[];
  readonly turns: readonly RowTurn[];
  /** R. */
  readonly outcome: 0 | 1 | null;
  /** TARL's S. */
  readonly score: number | null;
  readonly kind: string | null;
  /** The outcome's part of S. The parts of the turns and this one sum to S. */
  readonly outcomeReward: number | null;
  /** The reward under the record's own rule. */
  readonly recordReward: number | null;
  readonly subScores: Readonly<Record<string, number | null>>;
  readonly end: { readonly reason: string; readonly owner: string } | null;
  /** Messages of the agent that could not be taken; they are no turns and not in `messages`. */
  readonly agentErrors: number;
}
