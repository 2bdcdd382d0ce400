import { Option } from 'commander';
import { addExportOptions } from '../exporting/export-options.js';
import { addFilterOptions } from '../exporting/filter-options.js';
import { type ExportFlags, runExport } from '../exporting/run-export.js';
import { addTokenOptions } from '../exporting/token-options.js';
import type { RegisterCommand } from '../program.js';
import { STRICT } from '../running/damage.js';

const EXAMPLES = `
Examples:
  $ parlor export runs/mine --format trl --out data/mine
  $ parlor export runs/a runs/b --format all --validation 0.1 --out data/both
  $ parlor export runs/mine --format openai --outcome pass --drop-duplicates --out data/sft

Score the run first ("parlor score"), else the rows have no rewards. An export that was broken off goes on when the same
command is given again.`;

/** `parlor export`: finished runs as training data. */
export const registerExport: RegisterCommand = (program, terminal) => {
  const command = program
    .command('export')
    .description(
      'Write finished runs as training data, in one or several formats, with a manifest and a dataset card.',
    )
    .argument('<runs...>', 'run folders')
    .option('--scores <file>', 'score file to use, when a run has several (its name in scores/)')
    .addOption(
      new Option('--purpose <what>', 'train refuses evaluation tasks')
        .choices(['train', 'eval'])
        .default('train'),
    )
    .option(...STRICT);
  addTokenOptions(addFilterOptions(addExportOptions(command)))
    .addHelpText('after', EXAMPLES)
    .action((runs: readonly string[], flags: ExportFlags) => runExport(runs, flags, terminal));
};
