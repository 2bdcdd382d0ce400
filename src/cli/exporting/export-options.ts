import { type Command, Option } from 'commander';
import { CLIP_FORMATS, FORMATS } from '../../dataset/index.js';
import { share, wholeNumber } from '../number-option.js';

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

/** Flags that say what is written and where. */
export function addExportOptions(command: Command): Command {
  return command
    .requiredOption('--out <folder>', 'a new folder, or one in which the same command was broken off')
    .option(
      '--format <name>',
      `${[...FORMATS.keys()].join(', ')} or all; may be given several times (default: parlor)`,
      collect,
      [] as readonly string[],
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
    .addOption(
      new Option(
        '--audio-format <format>',
        'what clips are: wav, or by ffmpeg flac (lossless) or opus (32 kbit/s)',
      )
        .choices(CLIP_FORMATS)
        .default('wav'),
    )
    .option('--audio-prefix <text>', 'put before the paths of clips, e.g. the folder they will lie in', '')
    .option('--json', 'print the manifest');
}
