import type { RecordEvent } from '../../../src/episodes/index.js';
import type { Mode } from '../../../src/protocol/index.js';
import type { RetailDomain, Task } from '../../../src/retail/index.js';
import { playOracle } from '../../helpers/play-oracle.js';

/** What the oracle did in an episode that it won, so that any other client can do the same. */
export interface OracleScript {
  readonly task: Task;
  readonly seed: number;
  readonly actions: readonly OracleAction[];
}

export type OracleAction =
  | { readonly say: string }
  | { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };

function actionsOf(events: readonly RecordEvent[]): OracleAction[] {
  return events.flatMap((event): OracleAction[] => {
    if (event.type === 'agent') return [{ say: event.text }];
    return event.type === 'tool_call' ? [{ name: event.name, arguments: event.arguments }] : [];
  });
}

/** A task that changes the world, as the oracle played it. Customers are scripted, so the same seed gives the same call. */
export async function oracleScript(domain: RetailDomain, mode: Mode = 'text'): Promise<OracleScript> {
  const seed = 7;
  const task = domain.tasks.find(({ groundTruth }) =>
    groundTruth.some(({ name }) => /^(cancel|return)_/.test(name)),
  );
  if (task === undefined) throw new Error('the domain has no task with a change');
  const [played] = await playOracle(domain, [task], { mode, episodeSeed: seed });
  if (played?.success !== true) throw new Error(`the oracle failed at ${task.id}`);
  return { task, seed, actions: actionsOf(played.events) };
}

/** The same as OpenEnv actions, with `done` at the end in case the customer has not hung up by then. */
export function openEnvActions({ actions }: OracleScript) {
  return [
    ...actions.map((action) =>
      'say' in action
        ? { tool_name: 'respond_to_user', arguments: { message: action.say } }
        : { tool_name: action.name, arguments: action.arguments },
    ),
  ];
}
