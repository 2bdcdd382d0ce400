import { type Agent, createOracle, oracleKnowledge } from '../../agents/index.js';
import type { RetailDomain } from '../../retail/index.js';
import { UsageError } from '../../shared/index.js';

export interface AgentChoice {
  readonly name: string;
  /** Share of episodes into which a reference agent puts a fault. */
  readonly faults: number;
  /** Decides which episodes get which fault. */
  readonly seed: number;
}

function createOracleFor({ tasks, world }: RetailDomain, { faults, seed }: AgentChoice): Agent {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  return createOracle({
    faultRate: faults,
    seed,
    lookup: (id) => {
      const task = byId.get(id);
      if (task === undefined) throw new RangeError(`no task ${id}`);
      return oracleKnowledge(task, world);
    },
  });
}

/** The agents that come with Parlor, by name. */
const AGENTS: ReadonlyMap<string, (domain: RetailDomain, choice: AgentChoice) => Agent> = new Map([
  ['oracle', createOracleFor],
]);

/** @throws UsageError when there is no agent of that name. */
export function createAgent(domain: RetailDomain, choice: AgentChoice): Agent {
  const create = AGENTS.get(choice.name);
  if (create !== undefined) return create(domain, choice);
  throw new UsageError(
    'unknown-agent',
    `no agent "${choice.name}"; choose one of ${[...AGENTS.keys()].join(', ')}, or run "parlor serve" and connect your own`,
  );
}
