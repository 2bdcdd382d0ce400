import type { Clock } from '../shared/index.js';
import type { Terminal } from './terminal.js';

/** Someone who sees nothing for longer than this wonders whether it runs. */
const PATIENCE_MS = 700;
/** Those that take a while before they have something to say. */
const SLOW_COMMANDS: readonly (string | undefined)[] = ['run', 'generate'];

/**
 * Says that a command has started, on stderr, when it has printed nothing for most of a second: on a busy machine loading the program
 * and setting up a run take seconds. Gives the terminal to print with, and what calls the line off.
 */
export function tellSlowStart(
  terminal: Terminal,
  { command, clock }: { readonly command: string | undefined; readonly clock: Clock },
): { readonly terminal: Terminal; readonly done: () => void } {
  if (!SLOW_COMMANDS.includes(command)) return { terminal, done: () => undefined };
  const done = clock.after(PATIENCE_MS, () => terminal.err('parlor: setting up …\n'));
  const first =
    (print: (text: string) => void) =>
    (text: string): void => {
      done();
      print(text);
    };
  return { done, terminal: { ...terminal, out: first(terminal.out), err: first(terminal.err) } };
}
