import type { Task, ToolCall } from './task.js';
import type { RuleSet, World } from './world.js';

/** A JSON Schema (draft 2020-12 subset) of a tool's arguments. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown };
  readonly kind: 'read' | 'write' | 'generic';
  /** True where the call can destroy or commit something that cannot be taken back. */
  readonly destructive: boolean;
}

/**
 * What a call gave. `content` is the text the model reads (JSON for objects); errors start with "Error: ".
 * `code` names the kind of refusal for programs, e.g. "order-not-pending".
 */
export type ToolResult =
  | { readonly ok: true; readonly value: unknown; readonly content: string }
  | { readonly ok: false; readonly code?: string; readonly error: string; readonly content: string };

/** One call that was made, in order, with what came of it. */
export interface PerformedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly ok: boolean;
}

/** One episode's view of a world: a copy-on-write overlay. Making one costs no more than two empty maps. */
export interface WorldSession {
  readonly rules: RuleSet;
  /** Never throws for bad input: a wrong name or argument is a result with ok=false. Atomic: a failed call changes nothing. */
  call(name: string, args: unknown): ToolResult;
  readonly calls: readonly PerformedCall[];
  /** Did a transfer to a human succeed in this session? */
  readonly transferred: boolean;
}

/** A loaded domain: world, rules, policy and tasks of one source. */
export interface RetailDomain {
  /** e.g. "parlor", "tau2", "tau1"; "maths": problems in place of a shop, with an empty world and no tools. */
  readonly source: 'parlor' | 'tau1' | 'tau2' | 'maths';
  /** Where it came from, for people: a folder's base name, or "built-in (seed 1)". */
  readonly label: string;
  readonly world: World;
  readonly rules: RuleSet;
  readonly policy: string;
  readonly tools: readonly ToolDefinition[];
  readonly tasks: readonly Task[];
  /** SHA-256 over the canonical JSON of the world. Computed on first use, then kept. */
  worldHash(): string;
  openSession(): WorldSession;
}

export type OutcomeRule = 'tarl' | 'tau' | 'tau2';

/** The verdict on one finished episode. Every sub-score is always there; `null` means "does not apply" or "unscored". */
export interface Outcome {
  readonly rule: OutcomeRule;
  readonly reward: number;
  readonly success: boolean;
  readonly scores: {
    /** 1: end state equals the ground truth's end state, in canonical form. */
    readonly database: 0 | 1;
    /** 1: successful write calls equal the ground truth's, as multisets (TARL). */
    readonly writes: 0 | 1;
    /** 1: every required string was said; null: none required. */
    readonly communicate: 0 | 1 | null;
    /** Share of ground-truth calls that were matched. */
    readonly actions: number | null;
    /** Assertions in prose; null: none or unscored. */
    readonly assertions: 0 | 1 | null;
  };
  /** Components that the task asks for and nothing here can score (no model): they count as 1, and the report says so. */
  readonly unscored: readonly string[];
  /** For people, one line each: what differs between the two end states. Server side only. */
  readonly difference: readonly string[];
  /** Required strings that were never said. Server side only. */
  readonly unsaid: readonly string[];
}

export interface VerifyInput {
  readonly task: Task;
  readonly session: WorldSession;
  /** The agent's messages to the customer, in order. */
  readonly agentMessages: readonly string[];
  readonly rule: OutcomeRule;
  /** False when the episode did not end by the customer, a transfer or the agent's own stop: then reward is 0, sub-scores stay. */
  readonly endedInOrder: boolean;
}

/** A ground-truth call that fails on the untouched world, so that the task's "right" end state is doubtful. */
export interface GroundTruthFault {
  readonly taskId: string;
  readonly callIndex: number;
  readonly call: ToolCall;
  readonly error: string;
}
