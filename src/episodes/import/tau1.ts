import { z } from 'zod';
import type { Task } from '../../retail/index.js';
import { sha256Hex } from '../../shared/index.js';
import type { OutcomeEvent, RecordEvent } from '../record.js';
import { assembleEpisode } from './assemble-episode.js';
import { type Conversation, readConversation, sourceMessageSchema } from './conversation.js';
import {
  findUnsaid,
  type ImportedEpisode,
  type ImportFault,
  type ImportSource,
  inferEnd,
  type RowsReading,
  scoreWrites,
} from './import-format.js';
import { BrokenRowError, nameRow, parseRow, tryRow } from './rows.js';

const action = z.object({ name: z.string().min(1), kwargs: z.record(z.string(), z.unknown()) });

const tau1TaskSchema = z.looseObject({
  user_id: z.string().optional(),
  instruction: z.string(),
  actions: z.array(action),
  outputs: z.array(z.string()).default([]),
});

const rowSchema = z.looseObject({
  task_id: z.union([z.number().int(), z.string().min(1)]).transform(String),
  trial: z.number().int().min(0).default(0),
  reward: z.number(),
  info: z.looseObject({
    task: tau1TaskSchema.optional(),
    error: z.unknown().optional(),
    reward_info: z
      .looseObject({
        info: z.looseObject({
          r_actions: z.number().optional(),
          r_outputs: z.number().optional(),
          outputs: z.record(z.string(), z.boolean()).optional(),
        }),
      })
      .nullish(),
  }),
  traj: z.array(sourceMessageSchema),
});
type Row = z.infer<typeof rowSchema>;

const PLACED_FIELDS = new Set(['task_id', 'trial', 'reward', 'traj']);

function toTask(
  id: string,
  { user_id, instruction, actions, outputs }: z.infer<typeof tau1TaskSchema>,
): Task {
  return {
    id,
    splits: [],
    instruction,
    ...(user_id === undefined ? {} : { userId: user_id }),
    groundTruth: actions.map(({ name, kwargs }) => ({ name, arguments: kwargs })),
    communicate: outputs,
    assertions: [],
    rewardBasis: ['DB', 'COMMUNICATE'],
    tags: [],
  };
}

/**
 * The parts of a reward of version 1. Its file tells either the database's part or, where strings were required, theirs:
 * then a success had both, a failure with all strings said failed in the database, and of any other the part is not told.
 */
function toOutcome(row: Row, events: readonly RecordEvent[], task: Task): OutcomeEvent {
  const told = row.info.reward_info?.info;
  const success = Math.abs(row.reward - 1) <= 1e-6;
  const byStrings = success ? 1 : told?.r_outputs === 1 ? 0 : null;
  const unsaid = findUnsaid(events, task.communicate);
  return {
    type: 'outcome',
    rule: 'tau',
    reward: row.reward,
    success,
    scores: {
      database: told?.r_actions ?? byStrings,
      writes: scoreWrites(events, task),
      communicate: task.communicate.length === 0 ? null : (told?.r_outputs ?? (unsaid.length === 0 ? 1 : 0)),
      actions: null,
      assertions: null,
    },
    unscored: [],
    difference: [],
    unsaid:
      told?.outputs === undefined
        ? unsaid
        : task.communicate.filter((text) => told.outputs?.[text] === false),
  };
}

interface RowPlace {
  readonly row: Row;
  readonly index: number;
  readonly task: Task;
}

function keptFields(row: Row): Record<string, unknown> {
  const { task, ...info } = row.info;
  const {
    user_id: _user,
    instruction: _instruction,
    actions: _actions,
    outputs: _outputs,
    ...rest
  } = task ?? {};
  const others = Object.entries(row).filter(([key]) => !PLACED_FIELDS.has(key) && key !== 'info');
  return {
    ...Object.fromEntries(others),
    info: Object.keys(rest).length === 0 ? info : { ...info, task: rest },
  };
}

function toEpisode(
  { row, index, task }: RowPlace,
  conversation: Conversation,
  source: ImportSource,
): ImportedEpisode {
  const { events, system } = conversation;
  const crashed = row.info.error != null;
  return assembleEpisode(
    {
      ...{ format: 'tau1', index, task, mode: 'text', trial: row.trial, seed: 0 },
      ...{ agent: null, customer: 'tau1', domain: null, termination: null },
      policyHash: system === null ? null : sha256Hex(system),
      toolsHash: null,
      limits: { maxTurns: 30, maxErrors: 30 },
      reason: crashed ? 'platform_failed' : inferEnd(events),
      outcome: toOutcome(row, events, task),
      fields: keptFields(row),
    },
    conversation,
    source,
  );
}

/**
 * Reads the result list of tau-bench version 1: rows of {task_id, trial, reward, info, traj}. Broken rows are named and
 * skipped. A rollout that crashed there has no task of its own: another row of the same task lends it.
 */
export function readTau1(rows: readonly unknown[], source: ImportSource): RowsReading {
  const faults: ImportFault[] = [];
  const parsed: { row: Row; index: number; where: string }[] = [];
  rows.forEach((value, index) => {
    const where = nameRow('row', index, value);
    tryRow(faults, where, () => void parsed.push({ row: parseRow(rowSchema, value), index, where }));
  });
  const tasks = new Map<string, Task>();
  for (const { row } of parsed)
    if (row.info.task !== undefined) tasks.set(row.task_id, toTask(row.task_id, row.info.task));

  const policies = new Set<string>();
  const episodes: ImportedEpisode[] = [];
  for (const { row, index, where } of parsed)
    tryRow(faults, where, () => {
      const task = row.info.task === undefined ? tasks.get(row.task_id) : toTask(row.task_id, row.info.task);
      if (task === undefined)
        throw new BrokenRowError('no row of this task tells its ground truth (info.task)');
      const conversation = readConversation(row.traj);
      if (conversation.system !== null) policies.add(conversation.system);
      episodes.push(toEpisode({ row, index, task }, conversation, source));
    });
  return { format: 'tau1', episodes, faults, policies: [...policies] };
}
