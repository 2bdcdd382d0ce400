import { Command, CommanderError } from 'commander';
import { describeError, ParlorError, UsageError } from '../shared/index.js';
import { registerAgents } from './commands/agents.js';
import { registerBench } from './commands/bench.js';
import { registerCalibrate } from './commands/calibrate.js';
import { registerCompare } from './commands/compare.js';
import { registerConfig } from './commands/config.js';
import { registerCurriculum } from './commands/curriculum.js';
import { registerExport } from './commands/export.js';
import { registerGenerate } from './commands/generate.js';
import { registerImport } from './commands/import.js';
import { registerMcp } from './commands/mcp.js';
import { registerReport } from './commands/report.js';
import { registerRetail } from './commands/retail.js';
import { registerRun } from './commands/run.js';
import { registerSay } from './commands/say.js';
import { registerScore } from './commands/score.js';
import { registerServe } from './commands/serve.js';
import { registerTasks } from './commands/tasks.js';
import { registerVoices } from './commands/voices.js';
import { applyConfig } from './config/apply-config.js';
import { packageVersion } from './package-info.js';
import type { Terminal } from './terminal.js';

/** One command: a file of `commands/` exports a function of this type, and the list below names it. */
export type RegisterCommand = (program: Command, terminal: Terminal) => void;

const COMMANDS: readonly RegisterCommand[] = [
  registerAgents,
  registerBench,
  registerCalibrate,
  registerCompare,
  registerConfig,
  registerCurriculum,
  registerExport,
  registerGenerate,
  registerImport,
  registerMcp,
  registerReport,
  registerRetail,
  registerRun,
  registerSay,
  registerServe,
  registerScore,
  registerTasks,
  registerVoices,
];

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/** Thrown by a command that has printed all there is to say and wants this exit code. */
export class ExitError extends ParlorError {
  readonly exitCode: number;
  constructor(exitCode: number) {
    super('exit', `exit with ${exitCode}`);
    this.exitCode = exitCode;
  }
}

export function createProgram(terminal: Terminal): Command {
  const program = new Command('parlor')
    .description(
      'A voice sandbox for agents that use tools: a simulated customer speaks, your agent acts, every episode is verified.',
    )
    .version(packageVersion(), '-V, --version')
    .showHelpAfterError('(add --help for the options and examples)');
  for (const register of COMMANDS) register(program, terminal);
  program.hook('preAction', (_program, command) => applyConfig(program, command, terminal));
  return program;
}

function applyToAll(command: Command, change: (command: Command) => void): void {
  change(command);
  for (const child of command.commands) applyToAll(child, change);
}

/** Runs one command line and gives its exit code: 0 done, 1 the run failed, 2 the call was wrong. Never throws. */
export async function runCli(program: Command, argv: readonly string[], terminal: Terminal): Promise<number> {
  // Sub-commands do not inherit these from the program, so each is told.
  applyToAll(program, (command) =>
    command.exitOverride().configureOutput({ writeOut: terminal.out, writeErr: terminal.err }),
  );
  try {
    await program.parseAsync([...argv]);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    if (error instanceof ExitError) return error.exitCode;
    terminal.err(`parlor: ${describeError(error)}\n`);
    if (error instanceof UsageError) return EXIT_USAGE;
    if (!(error instanceof ParlorError))
      terminal.err('parlor: this is a fault in parlor itself; run again with PARLOR_DEBUG=1 to see where\n');
    if (terminal.env.PARLOR_DEBUG !== undefined && error instanceof Error) terminal.err(`${error.stack}\n`);
    return EXIT_FAILED;
  }
}
