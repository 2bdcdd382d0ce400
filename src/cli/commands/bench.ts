import { resolve } from 'node:path';
import { builtInDomain, loadDomain, type RetailDomain } from '../../retail/index.js';
import { systemClock } from '../../shared/index.js';
import { createScriptedCustomers } from '../../user/index.js';
import { type BenchResult, formatBench } from '../bench/bench-table.js';
import { benchEpisodes } from '../bench/episodes-bench.js';
import { benchExport, formatExportBench } from '../bench/export-bench.js';
import { withEpisodePlayer } from '../bench/play-episodes.js';
import { benchRetail } from '../bench/retail-bench.js';
import { benchSandbox } from '../bench/sandbox/bench-sandbox.js';
import { formatSandboxBench } from '../bench/sandbox/sandbox-table.js';
import { benchScoring, copyRecords } from '../bench/scoring-bench.js';
import { benchSpeech } from '../bench/speech/bench-speech.js';
import { formatSpeechBench } from '../bench/speech/speech-table.js';
import { oneOf, wholeNumber } from '../number-option.js';
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
  readonly only?: (typeof PARTS)[number];
  readonly sessions: number;
  readonly utterances: number;
  readonly voices?: string;
}

const PARTS = ['house', 'sandbox', 'export', 'speech'] as const;
/** Long enough that a thousand sessions are set up well before the first is over. */
const SANDBOX = {
  ...{ realtimeSeconds: 20, realtimeRounds: 3, fastSeconds: 600, fastRounds: 9, toolCalls: 1_000 },
} as const;
const SPEECH = { lines: 20, soundSeconds: 300 } as const;

const processorTime = {
  nowMs: (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};

const domainOf = (data: string | undefined, cwd: string): RetailDomain | Promise<RetailDomain> =>
  data === undefined ? builtInDomain() : loadDomain(resolve(cwd, data));

export const registerBench: RegisterCommand = (program, terminal) => {
  program
    .command('bench')
    .description(
      'Measure this machine: the retail world, scoring, the sandbox under load, export and speech.',
    )
    .option('--data <folder>', 'a tau-bench or tau2-bench retail folder instead of the built-in world')
    .option('--python <command>', 'an interpreter with numpy, to compare advantages with', 'python3')
    .option('--only <part>', `one part: ${PARTS.join(', ')}`, oneOf('--only', PARTS))
    .option(
      '--sessions <n>',
      'how many spoken episodes at once the sandbox is given',
      wholeNumber('--sessions', { min: 1, max: 5_000 }),
      1_000,
    )
    .option(
      '--utterances <n>',
      'speech: lines over which memory is watched',
      wholeNumber('--utterances', { min: 8, max: 1_000_000 }),
      2_000,
    )
    .option('--voices <folder>', 'speech: time these voices as well')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Parts (without --only: house, then sandbox):
  house     reset, calls, verification, whole text episodes, scoring
  sandbox   punctuality of frames with --sessions spoken episodes at once, throughput, memory, tool calls
  export    3,000 episodes with sound into training files; wants --python with pyarrow
  speech    engines, effects, resampling, voice activity, memory

Examples:
  $ parlor bench
  $ parlor bench --data path/to/tau2-retail
  $ parlor bench --python .venv/bin/python
  $ parlor bench --only sandbox --sessions 200
  $ parlor bench --only speech --voices .cache/voices
  $ parlor bench --only export --python .venv-dataset/bin/python`,
    )
    .action(async ({ data, python, json, only, sessions, utterances, voices }: BenchOptions) => {
      if (only === 'speech') {
        terminal.err(
          'measuring engines, effects, resampling, voice activity and memory; about three minutes\n',
        );
        const speech = await benchSpeech({
          ...{
            ...SPEECH,
            utterances,
            clock: systemClock,
            cpu: processorTime,
            searchPath: terminal.env.PATH ?? '',
          },
          readKey: (name) => terminal.env[name],
          residentBytes: () => process.memoryUsage.rss(),
          voicesDir: voices === undefined ? undefined : resolve(terminal.cwd, voices),
        });
        terminal.out(json ? `${JSON.stringify({ speech }, null, 2)}\n` : formatSpeechBench(speech));
        return;
      }
      const domain = await domainOf(data, terminal.cwd);
      if (only === 'export') {
        terminal.err(
          'measuring the export of 3,000 episodes with sound; about a minute, and 2 GB of temporary files\n',
        );
        const timing = await benchExport(await playForExport(domain), { domain, python, clock: systemClock });
        terminal.out(json ? `${JSON.stringify({ export: timing }, null, 2)}\n` : formatExportBench(timing));
        return;
      }
      terminal.err(`measuring on ${domain.label}; about three minutes\n`);
      const house = only === 'sandbox' ? null : await benchHouse(domain, python);
      const sandbox =
        only === 'house' ? null : await benchSandbox({ ...SANDBOX, domain, clock: systemClock, sessions });
      const text = [house && formatBench(house), sandbox && formatSandboxBench(sandbox)];
      terminal.out(
        json
          ? `${JSON.stringify({ ...house, sandbox }, null, 2)}\n`
          : text.filter((part) => part !== null).join('\n'),
      );
    });
};

/** Texts of 3,000 episodes. */
function playForExport(domain: RetailDomain): Promise<string[]> {
  const agent = makeOracle(domain, { faults: SCORED.faults, seed: 1 }).agent;
  const options = {
    domain,
    customers: createScriptedCustomers(),
    concurrency: CONCURRENCY,
    clock: systemClock,
  };
  return withEpisodePlayer({ ...options, agent, trials: SCORED.trials }, async (player) => {
    await player.play(0, SCORED.played);
    return copyRecords(player.records, SCORED.copies);
  });
}

/** Everything that is measured without load on the sandbox. */
async function benchHouse(domain: RetailDomain, python: string): Promise<BenchResult> {
  const retail = benchRetail(domain, systemClock);
  const common = {
    ...{ domain, customers: createScriptedCustomers(), concurrency: CONCURRENCY, clock: systemClock },
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
  return { domain: domain.label, retail, episodes, scoring };
}
