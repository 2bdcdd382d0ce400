import { resolve } from 'node:path';
import type { Command } from 'commander';
import {
  compareRuns,
  DIFFERENCE_KINDS,
  type DifferenceKind,
  loadRun,
  renderComparison,
} from '../../evaluation/index.js';
import { UsageError } from '../../shared/index.js';
import type { RegisterCommand } from '../program.js';
import type { Terminal } from '../terminal.js';

interface CompareFlags {
  readonly json?: true;
  readonly differentCustomers?: true;
  readonly differentWorlds?: true;
  readonly differentRules?: true;
  readonly differentConditions?: true;
}

const WHAT: Readonly<Record<DifferenceKind, string>> = {
  customers: "the customer's name, model, prompt or options",
  worlds: 'world, policy, tools or tasks',
  rules: 'outcome rule, limits or live judge',
  conditions: 'line, room or voice',
};

const flagOf: Readonly<Record<DifferenceKind, keyof CompareFlags>> = {
  customers: 'differentCustomers',
  worlds: 'differentWorlds',
  rules: 'differentRules',
  conditions: 'differentConditions',
};

/** `parlor compare`: pass^k of several runs beside the first one's, paired by task. */
export const registerCompare: RegisterCommand = (program: Command, terminal: Terminal) => {
  const command = program
    .command('compare')
    .description(
      'Lay runs beside the first one: pass^k over the tasks that all have, differences paired by task, with intervals.',
    )
    .argument('<folders...>', 'two runs or more; the first is what the others are measured against')
    .option('--json', 'print one JSON document instead of the table');
  for (const kind of DIFFERENCE_KINDS)
    command.option(`--different-${kind}`, `compare although they differ in ${WHAT[kind]}`);
  command
    .addHelpText(
      'after',
      '\nExample:\n  $ parlor compare runs/before runs/after\n  $ parlor compare runs/clean runs/noisy --different-conditions',
    )
    .action(async (folders: string[], flags: CompareFlags) => {
      const twice = folders.find(
        (folder, index) =>
          folders.findIndex((each) => resolve(terminal.cwd, each) === resolve(terminal.cwd, folder)) < index,
      );
      if (folders.length < 2 || twice !== undefined)
        throw new UsageError(
          'bad-option',
          twice === undefined
            ? `parlor compare needs two runs or more; got ${folders[0] ?? 'none'} only (parlor report sums up one)`
            : `${twice} is named twice; name each run once`,
        );
      const runs = [];
      for (const folder of folders) {
        const run = await loadRun(resolve(terminal.cwd, folder));
        if (run.faults.length > 0)
          terminal.err(
            `parlor: ${folder}: ${run.faults.length} faults in its records; parlor report names them\n`,
          );
        runs.push({ name: folder, run });
      }
      const allowed = new Set(DIFFERENCE_KINDS.filter((kind) => flags[flagOf[kind]] === true));
      const comparison = compareRuns(runs, allowed);
      terminal.out(
        flags.json === true
          ? `${JSON.stringify(comparison, null, 2)}\n`
          : `\n${renderComparison(comparison)}\n`,
      );
    });
};
