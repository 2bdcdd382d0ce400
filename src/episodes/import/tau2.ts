import type { z } from 'zod';
import type { EndReason } from '../../protocol/index.js';
import type { Task } from '../../retail/index.js';
import { canonicalJson, sha256Hex } from '../../shared/index.js';
import type { OutcomeEvent, RecordEvent } from '../record.js';
import { assembleEpisode } from './assemble-episode.js';
import { readConversation } from './conversation.js';
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
import { type Results, type rewardInfoSchema, type Simulation, simulationSchema } from './tau2-schema.js';
import { importedTaskSchema, toImportedTask } from './tau2-task.js';

const PLACED_FIELDS = new Set(['task_id', 'trial', 'seed', 'messages']);

/** The source's own word stays in the record's header. */
const END_REASONS: Readonly<Record<string, EndReason>> = {
  user_stop: 'customer_stop',
  agent_stop: 'agent_stop',
  max_steps: 'turn_limit',
  too_many_errors: 'error_limit',
  timeout: 'agent_timeout',
  agent_error: 'error_limit',
  context_window_exceeded: 'turn_limit',
  user_error: 'customer_failed',
  infrastructure_error: 'platform_failed',
  unexpected_error: 'platform_failed',
};

function endOf({ termination_reason: told }: Simulation, events: readonly RecordEvent[]): EndReason {
  if (told == null) return inferEnd(events);
  const last = events.at(-1);
  if (told === 'user_stop' && last?.type === 'customer' && last.end === 'transfer') return 'transfer';
  const reason = END_REASONS[told];
  if (reason === undefined)
    throw new BrokenRowError(
      `expected a termination_reason of ${Object.keys(END_REASONS).join(', ')}; got "${told}"`,
    );
  return reason;
}

function allMet(list: readonly { readonly met: boolean }[] | null | undefined): 0 | 1 | null {
  if (list == null || list.length === 0) return null;
  return list.every((check) => check.met) ? 1 : 0;
}

function toOutcome(
  info: z.infer<typeof rewardInfoSchema>,
  events: readonly RecordEvent[],
  task: Task,
): OutcomeEvent {
  const actions = info.action_checks ?? [];
  const matched = actions.filter((check) => check.action_match).length;
  const unsaid = findUnsaid(events, task.communicate);
  return {
    type: 'outcome',
    rule: 'tau2',
    reward: info.reward,
    success: Math.abs(info.reward - 1) <= 1e-6,
    scores: {
      database: info.db_check == null ? null : info.db_check.db_match ? 1 : 0,
      writes: scoreWrites(events, task),
      communicate:
        allMet(info.communicate_checks) ??
        (task.communicate.length === 0 ? null : unsaid.length === 0 ? 1 : 0),
      actions: actions.length === 0 ? null : matched / actions.length,
      assertions: allMet(info.nl_assertions),
    },
    unscored: [],
    difference: [],
    unsaid:
      info.communicate_checks?.flatMap((check) =>
        check.met || check.info === undefined ? [] : [check.info],
      ) ?? unsaid,
  };
}

interface SimulationPlace {
  readonly simulation: Simulation;
  readonly index: number;
  readonly task: Task;
  readonly results: Results;
}

function toEpisode(
  { simulation, index, task, results }: SimulationPlace,
  source: ImportSource,
): ImportedEpisode {
  if (simulation.messages == null)
    throw new BrokenRowError(
      'no messages: a full-duplex voice run keeps ticks instead, and ticks cannot be cut into turns without its audio',
    );
  const conversation = readConversation(simulation.messages);
  const { info } = results;
  const environment = info?.environment_info;
  return assembleEpisode(
    {
      ...{ format: 'tau2', index, task, trial: simulation.trial, seed: simulation.seed ?? 0 },
      mode: simulation.speech_environment == null ? 'text' : 'speech',
      agent: info?.agent_info ?? null,
      customer: info?.user_info ?? 'tau2',
      domain: environment?.domain_name ?? null,
      policyHash: environment?.policy == null ? null : sha256Hex(environment.policy),
      toolsHash: environment?.tool_defs == null ? null : sha256Hex(canonicalJson(environment.tool_defs)),
      limits: { maxTurns: info?.max_steps ?? 200, maxErrors: info?.max_errors ?? 10 },
      termination: simulation.termination_reason ?? null,
      reason: endOf(simulation, conversation.events),
      outcome:
        simulation.reward_info == null ? null : toOutcome(simulation.reward_info, conversation.events, task),
      fields: Object.fromEntries(
        Object.entries(simulation).filter(([key, value]) => !PLACED_FIELDS.has(key) && value != null),
      ),
    },
    conversation,
    source,
  );
}

/**
 * Reads results of tau2-bench.
 * @param simulations inline ones, or those of the folder form
 */
export function readTau2(
  results: Results,
  simulations: readonly unknown[],
  source: ImportSource,
): RowsReading {
  const faults: ImportFault[] = [];
  const tasks = new Map<string, Task>();
  const episodes: ImportedEpisode[] = [];
  results.tasks.forEach((value, index) => {
    tryRow(faults, `task ${index}`, () => {
      const task = toImportedTask(parseRow(importedTaskSchema, value));
      tasks.set(task.id, task);
    });
  });
  simulations.forEach((value, index) => {
    tryRow(faults, nameRow('simulation', index, value), () => {
      const simulation = parseRow(simulationSchema, value);
      const task = tasks.get(simulation.task_id);
      if (task === undefined)
        throw new BrokenRowError(`its task "${simulation.task_id}" is not among the file's tasks`);
      episodes.push(toEpisode({ simulation, index, task, results }, source));
    });
  });
  const policy = results.info?.environment_info?.policy;
  return { format: 'tau2', episodes, faults, policies: policy == null ? [] : [policy] };
}
