import type { Outcome, RetailDomain, VerifyInput } from '../contract.js';
import { overlayOf } from '../session.js';
import type { RewardComponent, Task } from '../task.js';
import { WRITE_TOOL_NAMES } from '../tools/registry.js';
import { areSameCalls, callKey } from './call-key.js';
import { describeEndStateDifference } from './difference.js';
import { compareEndStates } from './end-state.js';
import { groundTruthOf } from './ground-truth.js';

type Scores = Outcome['scores'];

/** Required strings are looked for in lower case and without commas, on both sides: "1,000" is found in "$1,000.00". */
function normalise(text: string): string {
  return text.toLowerCase().replaceAll(',', '');
}

function findUnsaid(required: readonly string[], messages: readonly string[]): string[] {
  if (required.length === 0) return [];
  const said = messages.map(normalise);
  return required.filter((needle) => !said.some((message) => message.includes(normalise(needle))));
}

/** A component's factor in tau2-bench's product; one that cannot be scored here counts as 1. */
function factorOf(component: RewardComponent, scores: Scores): number {
  switch (component) {
    case 'DB':
      return scores.database;
    case 'COMMUNICATE':
      return scores.communicate ?? 1;
    case 'NL_ASSERTION':
      return scores.assertions ?? 1;
    case 'ACTION':
      return scores.actions === null || scores.actions === 1 ? 1 : 0;
    case 'ENV_ASSERTION':
      return 1;
  }
}

/** Components that decide under `tau2`, that the task has something for, and that need a model or code of its source. */
function findUnscored(task: Task): string[] {
  return task.rewardBasis.filter(
    (component) =>
      component === 'ENV_ASSERTION' || (component === 'NL_ASSERTION' && task.assertions.length > 0),
  );
}

function rewardOf(input: VerifyInput, scores: Scores): number {
  if (!input.endedInOrder) return 0;
  switch (input.rule) {
    case 'tarl':
      return scores.writes;
    case 'tau':
      return scores.database * (scores.communicate ?? 1);
    case 'tau2':
      return input.task.rewardBasis.reduce((product, component) => product * factorOf(component, scores), 1);
  }
}

/**
 * The verdict on one finished episode by one of three rules (../shared design: scoring, "Outcome"):
 *
 * - `tarl`: the successful write calls equal the ground truth's successful write calls, as multisets.
 * - `tau`: the end state equals that of the replayed ground truth, and every required string was said.
 * - `tau2`: the product of the components named in the task's `rewardBasis`.
 *
 * End states are compared in canonical form, so only order of set-like lists is forgiven, never content. Under
 * `parlor` rules a hand-over to a person is part of the end state. All scores are there whatever the rule and however
 * the episode ended.
 * @throws TypeError for a session of another world: a fault in the calling program.
 */
export function verify(input: VerifyInput, domain: RetailDomain): Outcome {
  const { task, session, agentMessages, rule } = input;
  const overlay = overlayOf(session);
  if (overlay.world !== domain.world || session.rules !== domain.rules)
    throw new TypeError(`verify needs a session of the domain "${domain.label}"; got one of another domain`);
  const truth = groundTruthOf(domain, task);
  const endState = compareEndStates(overlay, truth.endState);
  const made = new Set<string>();
  const writes: string[] = [];
  for (const call of session.calls) {
    const key = callKey(call);
    made.add(key);
    if (call.ok && WRITE_TOOL_NAMES.has(call.name)) writes.push(key);
  }
  const matched = truth.calls.filter((key) => made.has(key)).length;
  const unsaid = findUnsaid(task.communicate, agentMessages);
  const scores: Scores = {
    database: endState.isSame ? 1 : 0,
    writes: areSameCalls(writes, truth.writes) ? 1 : 0,
    communicate: task.communicate.length === 0 ? null : unsaid.length === 0 ? 1 : 0,
    actions: truth.calls.length === 0 ? null : matched / truth.calls.length,
    assertions: null,
  };
  const reward = rewardOf(input, scores);
  return {
    rule,
    reward,
    success: reward === 1,
    scores,
    unscored: rule === 'tau2' ? findUnscored(task) : [],
    difference: describeEndStateDifference(endState),
    unsaid,
  };
}
