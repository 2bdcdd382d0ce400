import {
  type AgentReport,
  createOracle,
  type OracleOptions,
  oracleKnowledge,
} from '../../src/agents/index.js';
import { createMemoryRecords, type RecordEvent } from '../../src/episodes/index.js';
import type { Mode } from '../../src/protocol/index.js';
import type { OutcomeRule, RetailDomain, Task } from '../../src/retail/index.js';
import { type LiveJudge, startSandbox } from '../../src/sandbox/index.js';
import { systemClock } from '../../src/shared/index.js';
import type { Speaker } from '../../src/speech/index.js';
import { createScriptedCustomers } from '../../src/user/index.js';
import { fakeSpeaker } from '../sandbox/helpers/fakes.js';

export interface Played {
  readonly task: Task;
  readonly report: AgentReport;
  readonly success: boolean;
  readonly events: readonly RecordEvent[];
}

export interface PlayOptions extends Partial<Omit<OracleOptions, 'lookup'>> {
  readonly mode?: Mode;
  readonly rule?: OutcomeRule;
  readonly episodeSeed?: number;
  readonly trial?: number;
  readonly speaker?: Speaker;
  readonly liveJudge?: LiveJudge;
  /** False: the oracle is told nothing about the customer. */
  readonly hints?: boolean;
}

/** The oracle plays the tasks, one after the other, against scripted customers in a real sandbox over a real socket. */
export async function playOracle(
  domain: RetailDomain,
  tasks: readonly Task[],
  options: PlayOptions = {},
): Promise<Played[]> {
  const { mode = 'text', rule = 'tau2', episodeSeed = 1, trial = 0, faultRate = 0, seed = 3 } = options;
  const records = createMemoryRecords();
  const outcomes = new Map<string, boolean>();
  const sandbox = await startSandbox({
    ...{ domain, speaker: options.speaker ?? fakeSpeaker, customers: createScriptedCustomers() },
    ...{ outcomeRule: rule, openRecord: records.open, clock: systemClock },
    liveJudge: options.liveJudge,
    onEpisodeEnd: ({ episode, outcome }) => void outcomes.set(episode, outcome?.success === true),
  });
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const lookup: OracleOptions['lookup'] = (id) => {
    const knowledge = oracleKnowledge(byId.get(id) as Task, domain.world);
    return options.hints === false ? { ...knowledge, userHints: undefined } : knowledge;
  };
  const oracle = createOracle({ lookup, faultRate, seed });
  try {
    const played: Played[] = [];
    for (const task of tasks) {
      const report = await oracle.run(
        { url: sandbox.url, task: task.id, mode, seed: episodeSeed, trial },
        new AbortController().signal,
      );
      const episode = report.episode ?? '';
      played.push({
        ...{ task, report, success: outcomes.get(episode) === true },
        events: records.episodes.get(episode) ?? [],
      });
    }
    return played;
  } finally {
    await sandbox.close();
  }
}

/** One line per event, for people who look at a failing test. */
export function transcript({ events }: Played): string {
  return events
    .flatMap((event) => {
      if (event.type === 'customer')
        return [`C: ${event.text}${event.end === null ? '' : ` [${event.end}]`}`];
      if (event.type === 'agent') return [`A: ${event.text}`];
      if (event.type === 'tool_call') return [`   > ${event.name} ${JSON.stringify(event.arguments)}`];
      if (event.type === 'tool_result') return [`   < ${event.ok} ${event.content.slice(0, 100)}`];
      if (event.type === 'end') return [`END ${event.reason}`];
      if (event.type === 'outcome')
        return [
          `OUTCOME ${JSON.stringify(event.scores)} ${event.difference.join('; ')} ${event.unsaid.join('; ')}`,
        ];
      return [];
    })
    .join('\n');
}
