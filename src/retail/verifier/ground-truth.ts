import type { GroundTruthFault, RetailDomain } from '../contract.js';
import type { Overlay } from '../overlay.js';
import { overlayOf } from '../session.js';
import type { Task } from '../task.js';
import { WRITE_TOOL_NAMES } from '../tools/registry.js';
import { callKey } from './call-key.js';

/** What the ground truth of a task comes to on the untouched world. */
export interface GroundTruth {
  readonly endState: Overlay;
  /** Keys of all its calls, failing ones included. */
  readonly calls: readonly string[];
  /** Keys of its write calls that succeed. One that fails cannot be asked of an agent. */
  readonly writes: readonly string[];
  readonly faults: readonly GroundTruthFault[];
}

/** Replayed once for each domain and task; both are immutable. */
const replays = new WeakMap<RetailDomain, WeakMap<Task, GroundTruth>>();

function replay(domain: RetailDomain, task: Task): GroundTruth {
  const session = domain.openSession();
  const faults: GroundTruthFault[] = [];
  const writes: string[] = [];
  for (const [callIndex, call] of task.groundTruth.entries()) {
    const result = session.call(call.name, call.arguments);
    if (!result.ok) faults.push({ taskId: task.id, callIndex, call, error: result.error });
    else if (WRITE_TOOL_NAMES.has(call.name)) writes.push(callKey(call));
  }
  return { endState: overlayOf(session), calls: task.groundTruth.map(callKey), writes, faults };
}

export function groundTruthOf(domain: RetailDomain, task: Task): GroundTruth {
  let ofDomain = replays.get(domain);
  if (ofDomain === undefined) {
    ofDomain = new WeakMap();
    replays.set(domain, ofDomain);
  }
  const known = ofDomain.get(task);
  if (known !== undefined) return known;
  const truth = replay(domain, task);
  ofDomain.set(task, truth);
  return truth;
}

/** Ground-truth calls of a task that fail on replay, in order; none for a sound task. */
export function findGroundTruthFaults(domain: RetailDomain, task: Task): readonly GroundTruthFault[] {
  return groundTruthOf(domain, task).faults;
}
