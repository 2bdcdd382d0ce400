import { basename, resolve } from 'node:path';
import { Option } from 'commander';
import {
  ImportError,
  type ImportFormat,
  type ImportReading,
  readImport,
  writeImport,
} from '../../episodes/index.js';
import { passHatK } from '../../evaluation/metrics/pass-k.js';
import type { RegisterCommand } from '../program.js';
import type { Terminal } from '../terminal.js';

interface ImportOptions {
  readonly format: ImportFormat | 'auto';
  readonly out: string;
  readonly agent?: string;
  readonly json?: true;
}

interface TaskCount {
  trials: number;
  passed: number;
}

/** Passed and failed per task, episodes with an outcome only. */
function countTasks({ episodes }: ImportReading): Map<string, TaskCount> {
  const tasks = new Map<string, TaskCount>();
  for (const { events } of episodes) {
    const header = events[0];
    const outcome = events.at(-1);
    if (header?.type !== 'episode' || outcome?.type !== 'outcome') continue;
    const count = tasks.get(header.task.id) ?? { trials: 0, passed: 0 };
    count.trials += 1;
    count.passed += outcome.success ? 1 : 0;
    tasks.set(header.task.id, count);
  }
  return tasks;
}

/** pass^1 … pass^K over tasks, K the fewest trials that any task has. */
function passPowers(tasks: ReadonlyMap<string, TaskCount>): number[] {
  const counts = [...tasks.values()];
  const fewest = counts.length === 0 ? 0 : Math.min(...counts.map((count) => count.trials));
  return Array.from({ length: fewest }, (_, index) => {
    const sum = counts.reduce((total, { passed, trials }) => total + passHatK(passed, trials, index + 1), 0);
    return sum / counts.length;
  });
}

async function importRollouts(file: string, options: ImportOptions, terminal: Terminal): Promise<void> {
  const { format, agent } = options;
  const reading = await readImport(resolve(terminal.cwd, file), { format, agent });
  if (reading.episodes.length === 0)
    throw new ImportError(
      `nothing to import from ${file}: ${reading.faults.length} rows, none of them whole${reading.faults[0] === undefined ? '' : `; ${reading.faults[0].where}: ${reading.faults[0].problem}`}`,
    );
  const summary = await writeImport(reading, resolve(terminal.cwd, options.out), basename(file));
  const tasks = countTasks(reading);
  const counts = [...tasks.values()];
  const scored = counts.reduce((sum, count) => sum + count.trials, 0);
  const passed = counts.reduce((sum, count) => sum + count.passed, 0);
  const passHat = passPowers(tasks);
  if (options.json === true) {
    const { format: found, episodes, skipped } = summary;
    terminal.out(
      `${JSON.stringify({ format: found, episodes, tasks: tasks.size, scored, passed, passHat, skipped }, null, 2)}\n`,
    );
    return;
  }
  for (const { where, problem } of reading.faults) terminal.err(`skipped ${where}: ${problem}\n`);
  terminal.out(
    `${summary.episodes} episodes of ${tasks.size} tasks imported from ${basename(file)} (${summary.format}) into ${options.out}; ${reading.faults.length} rows skipped\n`,
  );
  if (scored < summary.episodes)
    terminal.out(`${summary.episodes - scored} of them have no reward and count as not scored\n`);
  const powers = passHat.map((value, index) => `pass^${index + 1} ${(100 * value).toFixed(1)} %`);
  terminal.out(`${passed} of ${scored} passed${powers.length === 0 ? '' : `; ${powers.join(', ')}`}\n`);
}

/** `parlor import`: rollouts that were played elsewhere become episode records. */
export const registerImport: RegisterCommand = (program, terminal) => {
  program
    .command('import')
    .description(
      'Turn finished rollouts of tau-bench or tau2-bench into episode records, so that they can be scored, calibrated and exported. Broken rows are named and skipped.',
    )
    .argument('<file>', 'a result list of tau-bench, a results.json of tau2-bench, or its folder form')
    .requiredOption('--out <dir>', 'folder for the records; must not hold episodes yet')
    .addOption(
      new Option('--format <name>', 'what the file is').choices(['auto', 'tau1', 'tau2']).default('auto'),
    )
    .option('--agent <name>', "the agent's name for the records, where the file does not tell it")
    .option('--json', 'print one JSON object instead of lines')
    .addHelpText(
      'after',
      '\nExample:\n  parlor import trajectories.json --out runs/airline\n  parlor calibrate runs/airline',
    )
    .action((file: string, options: ImportOptions) => importRollouts(file, options, terminal));
};
