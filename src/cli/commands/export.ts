import { Option } from 'commander';
import { FORMATS } from '../../dataset/index.js';
import { addFilterOptions } from '../exporting/filter-options.js';
import { type ExportFlags, runExport } from '../exporting/run-export.js';
import { addTokenOptions } from '../exporting/token-options.js';
import { share, wholeNumber } from '../number-option.js';
import type { RegisterCommand } from '../program.js';

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

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
    .requiredOption('--out <folder>', 'a new folder, or one in which this export was broken off')
    .option(
      '--format <name>',
      `${[...FORMATS.keys()].join(', ')} or all; may be given several times (default: parlor)`,
      collect,
      [] as readonly string[],
    )
    .option('--scores <file>', 'score file to use, when a run has several (its name in scores/)')
    .addOption(
      new Option('--purpose <what>', 'train refuses evaluation tasks')
        .choices(['train', 'eval'])
        .default('train'),
    )
    .option(
      '--validation <share>',
      'share of the tasks that goes into a split "validation", by content',
      share('--validation'),
      0,
    )
    .option(
      '--speech-turns <share>',
      'share of the customer turns of speech episodes that stay sound; the others are given as text',
      share('--speech-turns'),
      1,
    )
    .option(
      '--shard-rows <n>',
      'most episodes in one file',
      wholeNumber('--shard-rows', { min: 1, max: 1_000_000 }),
      1000,
    )
    .option(
      '--shard-megabytes <n>',
      'most sound in one file',
      wholeNumber('--shard-megabytes', { min: 1, max: 100_000 }),
      512,
    )
    .option('--audio-prefix <text>', 'put before the paths of clips, e.g. the folder they will lie in', '')
    .option('--json', 'print the manifest');
  addTokenOptions(addFilterOptions(command))
    .addHelpText('after', EXAMPLES)
    .action((runs: readonly string[], flags: ExportFlags) => runExport(runs, flags, terminal));
};
