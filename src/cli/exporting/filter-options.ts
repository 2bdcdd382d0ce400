import { type Command, Option } from 'commander';
import { type FilterOptions, KEEP_ALL } from '../../dataset/index.js';
import { share, wholeNumber } from '../number-option.js';

/** Flags that say which episodes go in. */
export interface FilterFlags {
  readonly outcome?: 'pass' | 'fail';
  readonly kinds?: string;
  readonly mode?: 'speech' | 'text';
  readonly keepCustomerFaults?: true;
  readonly minTurns?: number;
  readonly maxTurns?: number;
  readonly maxCharacters?: number;
  readonly agreeWith?: string;
  readonly minAgreement?: number;
  readonly onlyJudged?: true;
  readonly dropLiveJudged?: true;
  readonly dropDuplicates?: true;
  readonly onlyVaried?: true;
  readonly groupSize?: number;
}

const MANY = { min: 1, max: 1_000_000_000 };

/** @param isExport of finished runs; where episodes are played first, mode and length are said otherwise */
export function addFilterOptions(command: Command, { isExport = true } = {}): Command {
  if (isExport)
    command
      .addOption(new Option('--mode <mode>', 'only this mode').choices(['speech', 'text']))
      .option('--max-turns <n>', 'most turns of the agent', wholeNumber('--max-turns', MANY))
      .option('--agree-with <file>', "another judge's score file of the same run (its name in scores/)")
      .option(
        '--min-agreement <share>',
        'with --agree-with: share of turns on which both judges must agree',
        share('--min-agreement'),
      );
  return command
    .addOption(
      new Option('--outcome <what>', 'only episodes that passed, or failed').choices(['pass', 'fail']),
    )
    .option('--kinds <names>', 'only these TARL kinds, separated by commas')
    .option('--keep-customer-faults', 'also episodes that the simulated customer spoiled')
    .option('--min-turns <n>', 'fewest turns of the agent', wholeNumber('--min-turns', MANY))
    .option('--max-characters <n>', 'longest conversation', wholeNumber('--max-characters', MANY))
    .option('--only-judged', 'leave out episodes whose judgement is missing')
    .option('--drop-live-judged', 'leave out episodes in which a live judge could break in')
    .option('--drop-duplicates', 'keep the first of episodes in which the same was said and done')
    .option('--only-varied', 'leave out groups whose episodes are all worth the same')
    .option('--group-size <n>', 'only full groups, cut to n episodes', wholeNumber('--group-size', MANY));
}

export function filtersFrom(flags: FilterFlags): FilterOptions {
  return {
    outcome: flags.outcome ?? null,
    kinds: flags.kinds === undefined ? null : flags.kinds.split(',').map((kind) => kind.trim()),
    modes: flags.mode === undefined ? null : [flags.mode],
    keepCustomerFaults: flags.keepCustomerFaults === true,
    minTurns: flags.minTurns ?? KEEP_ALL.minTurns,
    maxTurns: flags.maxTurns ?? KEEP_ALL.maxTurns,
    maxCharacters: flags.maxCharacters ?? KEEP_ALL.maxCharacters,
    minAgreement: flags.agreeWith === undefined ? null : (flags.minAgreement ?? 1),
    onlyJudged: flags.onlyJudged === true,
    dropLiveJudged: flags.dropLiveJudged === true,
    dropDuplicates: flags.dropDuplicates === true,
    onlyVaried: flags.onlyVaried === true,
    groupSize: flags.groupSize ?? null,
  };
}
