import {
  type EpisodeHeader,
  type EpisodeRecord,
  type OutcomeEvent,
  RECORD_VERSION,
  type RecordEvent,
} from '../../src/episodes/index.js';
import type { Task, ToolCall } from '../../src/retail/index.js';

export function makeTask(id: string, groundTruth: readonly ToolCall[], overrides: Partial<Task> = {}): Task {
  return {
    id,
    splits: [],
    instruction: 'You want something.',
    groundTruth: [...groundTruth],
    communicate: [],
    assertions: [],
    rewardBasis: ['DB', 'COMMUNICATE'],
    tags: [],
    ...overrides,
  };
}

function makeHeader(task: Task, overrides: Partial<EpisodeHeader> = {}): EpisodeHeader {
  return {
    type: 'episode',
    version: RECORD_VERSION,
    episode: `${task.id}.text.t0.s0`,
    mode: 'text',
    seed: 0,
    trial: 0,
    agent: 'test',
    customer: 'test',
    voice: null,
    source: 'parlor',
    rules: 'parlor',
    worldHash: 'w',
    policyHash: 'p',
    toolsHash: 't',
    limits: { maxTurns: 30, maxErrors: 10 },
    task,
    ...overrides,
  };
}

export function makeOutcome(success: boolean, scores: Partial<OutcomeEvent['scores']> = {}): OutcomeEvent {
  const one = success ? 1 : 0;
  return {
    type: 'outcome',
    rule: 'tarl',
    reward: one,
    success,
    scores: { database: one, writes: one, communicate: null, actions: null, assertions: null, ...scores },
    unscored: [],
    difference: [],
    unsaid: [],
  };
}

/** One step of a test's conversation: words of the agent, or a call with how it went. */
export type Step =
  | string
  | { readonly call: ToolCall; readonly ok?: boolean; readonly content?: string; readonly pending?: true };

export function call(name: string, args: Record<string, unknown> = {}): ToolCall {
  return { name, arguments: args };
}

/** A whole record from steps; the customer answers every message with "ok". */
export function makeRecord(
  task: Task,
  steps: readonly Step[],
  options: { readonly success?: boolean | null; readonly header?: Partial<EpisodeHeader> } = {},
): EpisodeRecord {
  const header = makeHeader(task, options.header);
  const events: RecordEvent[] = [header, customer(0, 'hello')];
  steps.forEach((step, index) => {
    const turn = index + 1;
    if (typeof step === 'string') {
      events.push({ type: 'agent', turn, text: step, reasoning: null }, customer(turn, 'ok'));
      return;
    }
    const callId = `c${turn}`;
    events.push({
      type: 'tool_call',
      turn,
      callId,
      name: step.call.name,
      arguments: step.call.arguments,
      reasoning: null,
    });
    if (step.pending === true) return;
    events.push({ type: 'tool_result', turn, callId, ok: step.ok ?? true, content: step.content ?? '{}' });
  });
  const end = { type: 'end', turn: steps.length, reason: 'customer_stop', owner: 'user' } as const;
  const success = options.success === undefined ? true : options.success;
  const outcome = success === null ? null : makeOutcome(success);
  events.push(end);
  if (outcome !== null) events.push(outcome);
  return { header, events, end, outcome };
}

function customer(turn: number, text: string): RecordEvent {
  return { type: 'customer', turn, utterance: turn, text, spoken: null, audio: null, end: null };
}
