import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { RegisterCommand } from '../program.js';
import { STRICT } from '../running/damage.js';
import { finishRun, RECORDINGS } from '../running/finish-run.js';
import type { Terminal } from '../terminal.js';

interface ReportFlags {
  readonly json?: true;
  readonly report: boolean;
  readonly strict?: true;
  readonly recordings?: true;
  readonly hearing?: true;
}

/** `parlor report`: the table and report.html of a run, again, from its records. */
export const registerReport: RegisterCommand = (program: Command, terminal: Terminal) => {
  program
    .command('report')
    .description('Sum up a run again from its records: the table, and report.html in its folder.')
    .argument('<folder>', 'the folder of a run')
    .option('--json', 'print one JSON document instead of the table')
    .option('--no-report', 'leave report.html as it is')
    .option(
      '--hearing',
      'turn by turn: what was said, what was heard, what went to tools; with --json as fields',
    )
    .option(...RECORDINGS)
    .option(...STRICT)
    .addHelpText('after', '\nExample:\n  $ parlor report runs/parlor-speech-oracle-1')
    .action(async (folder: string, flags: ReportFlags) => {
      await finishRun(resolve(terminal.cwd, folder), terminal, {
        json: flags.json === true,
        report: flags.report,
        strict: flags.strict === true,
        recordings: flags.recordings === true,
        hearing: flags.hearing === true,
        name: folder,
      });
    });
};
