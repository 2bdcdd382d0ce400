import { Option } from 'commander';
import { wholeNumber } from '../number-option.js';
import { DEFAULT_MAX_TURNS } from './run-settings.js';

/** `--max-turns`. Where a resumed run has its own, the flag's absence must be seen: then the default is only told. */
export function maxTurnsOption(absence: 'is the default' | 'is seen'): Option {
  const what = 'agent actions after which an episode ends';
  const isSeen = absence === 'is seen';
  const option = new Option(
    '--max-turns <n>',
    isSeen ? `${what} (default: ${DEFAULT_MAX_TURNS})` : what,
  ).argParser(wholeNumber('--max-turns', { min: 1, max: 1000 }));
  return isSeen ? option : option.default(DEFAULT_MAX_TURNS);
}
