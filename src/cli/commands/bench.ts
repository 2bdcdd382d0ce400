import { resolve } from 'node:path';
import { builtInDomain, loadDomain } from '../../retail/index.js';
import { systemClock } from '../../shared/index.js';
import { createScriptedCustomers } from '../../user/index.js';
import { benchAudio } from '../bench/audio-bench.js';
import { formatBench } from '../bench/bench-table.js';
import { benchEpisodes } from '../bench/episodes-bench.js';
import { withEpisodePlayer } from '../bench/play-episodes.js';
import { benchRetail } from '../bench/retail-bench.js';
import { benchScoring, copyRecords } from '../bench/scoring-bench.js';
import type { RegisterCommand } from '../program.js';
import { makeOracle } from '../running/agents.js';

const EPISODES = 400;
const CONCURRENCY = 8;
/** 3,000 episodes to score: 75 tasks, 4 trials each, half of them with a fault; then ten copies of each. */
const SCORED = { played: 300, trials: 4, faults: 0.5, copies: 10 } as const;

interface BenchOptions {
  readonly data?: string;
  readonly python: string;
  readonly json?: true;
}

export const registerBench: RegisterCommand = (program, terminal) => {
  program
    .command('bench')
    .description('measure reset, calls, verification, whole text episodes and scoring on this machine')
    .option('--data DIR', 'a tau-bench or tau2-bench retail folder instead of the built-in world')
    .option('--python <command>', 'an interpreter with numpy, to compare advantages with', 'python3')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  parlor bench
  parlor bench --data path/to/tau2-retail
  parlor bench --python .venv/bin/python
`,
    )
    .action(async ({ data, python, json }: BenchOptions) => {
      const domain = data === undefined ? builtInDomain() : await loadDomain(resolve(terminal.cwd, data));
      terminal.err(`measuring on ${domain.label}; about twenty seconds\n`);
      const retail = benchRetail(domain, systemClock);
      const audio = benchAudio(systemClock);
      const common = {
        domain,
        customers: createScriptedCustomers(),
        concurrency: CONCURRENCY,
        clock: systemClock,
      };
      const flawless = makeOracle(domain, { faults: 0, seed: 1 }).agent;
      const episodes = await benchEpisodes({ ...common, agent: flawless, episodes: EPISODES });
      const faulty = makeOracle(domain, { faults: SCORED.faults, seed: 1 }).agent;
      const records = await withEpisodePlayer(
        { ...common, agent: faulty, trials: SCORED.trials },
        async (player) => {
          await player.play(0, SCORED.played);
          return copyRecords(player.records, SCORED.copies);
        },
      );
      const scoring = await benchScoring(records, { clock: systemClock, python });
      const result = { domain: domain.label, retail, audio, episodes, scoring };
      terminal.out(json ? `${JSON.stringify(result, null, 2)}\n` : formatBench(result));
    });
};
