import { resolve } from 'node:path';
import type { Command } from 'commander';
import { formatTasks, generateTrainingTasks } from '../../retail/index.js';
import { wholeNumber } from '../number-option.js';
import type { RegisterCommand } from '../program.js';
import { formatTask } from '../tasks/task-page.js';
import { findTask, openTaskSource, selectTasks, type TaskSourceOptions } from '../tasks/task-source.js';
import { countTags, formatTaskTable, summariseTasks } from '../tasks/task-table.js';
import type { Terminal } from '../terminal.js';
import { writeAtomically } from '../write-atomically.js';

interface ListOptions extends TaskSourceOptions {
  readonly split?: string;
  readonly tag?: string;
  readonly byTag?: true;
  readonly json?: true;
}

interface GenerateOptions {
  readonly count: number;
  readonly seed: number;
  readonly out?: string;
}

/** Tasks between two redraws of the progress line. */
const REDRAW_EVERY = 50;

async function list(options: ListOptions, terminal: Terminal): Promise<void> {
  const tasks = selectTasks(await openTaskSource(options, terminal.cwd), options);
  if (options.byTag === true) {
    const counts = countTags(tasks);
    if (options.json === true) {
      terminal.out(`${JSON.stringify(Object.fromEntries(counts), null, 2)}\n`);
      return;
    }
    for (const [tag, count] of counts) terminal.out(`${String(count).padStart(5)}  ${tag}\n`);
  } else if (options.json === true) {
    terminal.out(`${JSON.stringify(tasks, null, 2)}\n`);
    return;
  } else terminal.out(formatTaskTable(tasks, terminal.columns));
  terminal.out(`${summariseTasks(tasks)}\n`);
}

async function show(id: string, options: ListOptions, terminal: Terminal): Promise<void> {
  const task = findTask(await openTaskSource(options, terminal.cwd), id);
  terminal.out(options.json === true ? `${JSON.stringify(task, null, 2)}\n` : formatTask(task));
}

async function generate({ count, seed, out }: GenerateOptions, terminal: Terminal): Promise<void> {
  const file = out ?? `train-${seed}.jsonl`;
  const onTask = (made: number): void => {
    if (terminal.isTty && made % REDRAW_EVERY === 0) terminal.err(`\r\u001b[2K${made}/${count} tasks`);
  };
  const tasks = (() => {
    try {
      return generateTrainingTasks({ count, seed, onTask });
    } finally {
      if (terminal.isTty) terminal.err('\r\u001b[2K');
    }
  })();
  if (file === '-') terminal.out(formatTasks(tasks));
  else await writeAtomically(resolve(terminal.cwd, file), formatTasks(tasks));
  const customers = new Set(tasks.map((task) => task.userId)).size;
  terminal.err(
    `${file === '-' ? '' : `${file}: `}${summariseTasks(tasks)}; ${customers} customers, none of whom calls in an evaluation task\n`,
  );
}

function addSourceOptions(command: Command): Command {
  return command
    .option('--data <dir>', 'a tau-bench or tau2-bench retail folder instead of the built-in tasks')
    .option('--tasks <file>', 'a file that "parlor tasks generate" wrote');
}

/** `parlor tasks …`: look at the tasks of any source, and make new ones for training. */
export const registerTasks: RegisterCommand = (program, terminal) => {
  const tasks = program.command('tasks').description('List and show tasks, and make new ones for training.');
  addSourceOptions(tasks.command('list'))
    .description(
      'List the tasks of a source: id, difficulty, tags, right calls, writes among them, first words.',
    )
    .option('--split <name>', 'only the tasks of this split, e.g. test')
    .option('--tag <tag>', 'only the tasks with this tag, e.g. forbidden')
    .option('--by-tag', 'count the tasks of each tag instead')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  parlor tasks list --tag change-of-mind\n  parlor tasks list --by-tag\n  parlor tasks list --data data/tau2-retail --split test --json',
    )
    .action((options: ListOptions) => list(options, terminal));
  addSourceOptions(tasks.command('show'))
    .description('Show one task: what the customer wants and knows, the right calls, what has to be said.')
    .argument('<id>', 'id of the task, as in "parlor tasks list"')
    .option('--json', 'print the task as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  parlor tasks show eval-001\n  parlor tasks show 5 --data data/tau2-retail',
    )
    .action((id: string, options: ListOptions) => show(id, options, terminal));
  tasks
    .command('generate')
    .description('Make training tasks in the built-in shop, with customers whom no evaluation task has.')
    .option('--count <n>', 'how many', wholeNumber('--count', { min: 1, max: 100_000 }), 3000)
    .option(
      '--seed <n>',
      'the same seed gives the same tasks',
      wholeNumber('--seed', { min: 0, max: 4_294_967_295 }),
      1,
    )
    .option(
      '--out <file>',
      'where to write them, one as JSON a line; - for standard output (default: train-<seed>.jsonl)',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  parlor tasks generate --count 3000 --seed 7 --out train.jsonl\n  parlor tasks generate --count 10 --out - | head -1',
    )
    .action((options: GenerateOptions) => generate(options, terminal));
};
