/** What a command may use of the process: handed in, so that tests can watch. */
export interface Terminal {
  /** Results: what programs and people asked for. */
  out(text: string): void;
  /** Progress, warnings and errors. */
  err(text: string): void;
  readonly isTty: boolean;
  readonly columns: number;
  readonly colour: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Calls back at every Ctrl-C (SIGINT) or SIGTERM in place of ending the process, until the returned function is called. */
  readonly onInterrupt?: ((handler: () => void) => () => void) | undefined;
}

export const processTerminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isTty: process.stderr.isTTY === true,
  columns: process.stderr.columns ?? 80,
  colour: process.stdout.isTTY === true && process.env.NO_COLOR === undefined,
  env: process.env,
  cwd: process.cwd(),
  onInterrupt: (handler) => {
    process.on('SIGINT', handler);
    process.on('SIGTERM', handler);
    return () => {
      process.off('SIGINT', handler);
      process.off('SIGTERM', handler);
    };
  },
};
