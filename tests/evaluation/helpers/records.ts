import type { EpisodeRecord, RecordEvent } from '../../../src/episodes/index.js';
import type { RunManifest } from '../../../src/evaluation/manifest.js';
import { END_OWNERS, type EndReason, type Mode } from '../../../src/protocol/index.js';
import type { Task } from '../../../src/retail/index.js';

export function makeTask(id: string, overrides: Partial<Task> = {}): Task {
  return {
    id,
    splits: ['test'],
    instruction: `You want help with ${id}.`,
    groundTruth: [],
    communicate: [],
    assertions: [],
    rewardBasis: ['DB'],
    tags: [],
    ...overrides,
  };
}

export interface RecordOptions {
  readonly task: string | Task;
  readonly trial?: number;
  readonly mode?: Mode;
  readonly success?: boolean;
  readonly reason?: EndReason;
  readonly unscored?: readonly string[];
  readonly events?: readonly RecordEvent[];
  /** Cut short: neither end nor outcome. */
  readonly torn?: boolean;
}

/** A small record: one opening, one call that works, one that fails, one message. */
export function makeRecord(options: RecordOptions): EpisodeRecord {
  const { trial = 0, mode = 'text', success = true, reason = 'customer_stop', torn = false } = options;
  const task = typeof options.task === 'string' ? makeTask(options.task) : options.task;
  const header = {
    type: 'episode' as const,
    version: 1 as const,
    episode: `${task.id}-${mode}-${trial}`,
    mode,
    seed: 1,
    trial,
    agent: 'fake',
    customer: 'scripted/1',
    voice: mode === 'speech' ? 'slt' : null,
    source: 'parlor' as const,
    rules: 'parlor' as const,
    worldHash: 'w',
    policyHash: 'p',
    toolsHash: 't',
    limits: { maxTurns: 30, maxErrors: 10 },
    task,
  };
  const middle: readonly RecordEvent[] = options.events ?? [
    {
      type: 'customer',
      turn: 0,
      utterance: 0,
      text: 'Hello, my order is late.',
      spoken: null,
      audio: null,
      end: null,
    },
    {
      type: 'tool_call',
      turn: 1,
      callId: 'c1',
      name: 'get_order_details',
      arguments: { order_id: '#W1' },
      reasoning: null,
    },
    { type: 'tool_result', turn: 1, callId: 'c1', ok: true, content: '{"status":"pending"}' },
    { type: 'tool_call', turn: 2, callId: 'c2', name: 'no_such_tool', arguments: {}, reasoning: null },
    { type: 'tool_result', turn: 2, callId: 'c2', ok: false, content: 'Error: unknown tool' },
    { type: 'agent', turn: 3, text: 'It is on its way.', reasoning: null },
    {
      type: 'customer',
      turn: 3,
      utterance: 1,
      text: 'Thank you, bye.',
      spoken: null,
      audio: null,
      end: 'stop',
    },
  ];
  const end = { type: 'end' as const, turn: 3, reason, owner: END_OWNERS[reason] };
  const outcome = {
    type: 'outcome' as const,
    rule: 'tau2' as const,
    reward: success ? 1 : 0,
    success,
    scores: {
      database: success ? 1 : 0,
      writes: success ? 1 : 0,
      communicate: null,
      actions: 0.5,
      assertions: null,
    },
    unscored: [...(options.unscored ?? [])],
    difference: success ? [] : ['orders["#W1"].status: expected "cancelled", got "pending"'],
    unsaid: [],
  };
  if (torn) return { header, events: [header, ...middle], end: null, outcome: null };
  return { header, events: [header, ...middle, end, outcome], end, outcome };
}

export function makeManifest(overrides: Partial<RunManifest> = {}): RunManifest {
  return {
    type: 'run',
    version: 1,
    parlor: '0.1.0',
    protocol: 'parlor/1',
    recordVersion: 1,
    data: null,
    domain: {
      source: 'parlor',
      label: 'built-in',
      rules: 'parlor',
      worldHash: 'w',
      policyHash: 'p',
      toolsHash: 't',
    },
    split: 'test',
    tasks: ['a', 'b'],
    trials: 2,
    modes: ['text'],
    seed: 1,
    agent: { name: 'fake', options: {}, labels: false },
    customer: 'scripted/1',
    speech: null,
    rule: 'tau2',
    limits: { maxTurns: 30, maxErrors: 10 },
    groundTruthFaults: [],
    ...overrides,
  };
}
