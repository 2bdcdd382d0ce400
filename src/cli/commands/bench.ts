import { resolve } from 'node:path';
import { builtInDomain, loadDomain } from '../../retail/index.js';
import { systemClock } from '../../shared/index.js';
import { createScriptedCustomers } from '../../user/index.js';
import { formatBench } from '../bench/bench-table.js';
import { benchEpisodes } from '../bench/episodes-bench.js';
import { benchRetail } from '../bench/retail-bench.js';
import type { RegisterCommand } from '../program.js';
import { createAgent } from '../running/agents.js';

const EPISODES = 400;
const CONCURRENCY = 8;

interface BenchOptions {
  readonly data?: string;
  readonly json?: true;
}

export const registerBench: RegisterCommand = (program, terminal) => {
  program
    .command('bench')
    .description('measure reset, calls, verification and whole text episodes on this machine')
    .option('--data DIR', 'a tau-bench or tau2-bench retail folder instead of the built-in world')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  parlor bench
  parlor bench --data path/to/tau2-retail
`,
    )
    .action(async ({ data, json }: BenchOptions) => {
      const domain = data === undefined ? builtInDomain() : await loadDomain(resolve(terminal.cwd, data));
      terminal.err(`measuring on ${domain.label}; about ten seconds\n`);
      const retail = benchRetail(domain, systemClock);
      const agent = createAgent(domain, { name: 'oracle', faults: 0, seed: 1 });
      const episodes = await benchEpisodes({
        domain,
        agent,
        customers: createScriptedCustomers(),
        episodes: EPISODES,
        concurrency: CONCURRENCY,
        clock: systemClock,
      });
      const result = { domain: domain.label, retail, episodes };
      terminal.out(json ? `${JSON.stringify(result, null, 2)}\n` : formatBench(result));
    });
};
