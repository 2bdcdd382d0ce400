import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import {
  builtInDomain,
  createDomain,
  loadDomain,
  type RetailDomain,
  type RuleSet,
  serveHttp,
  serveStdio,
} from '../../retail/index.js';
import { systemClock, UsageError } from '../../shared/index.js';
import { oneOf, wholeNumber } from '../number-option.js';
import { packageVersion } from '../package-info.js';
import type { RegisterCommand } from '../program.js';
import type { Terminal } from '../terminal.js';

const RULE_SETS: readonly RuleSet[] = ['parlor', 'tau1', 'tau2'];

interface McpOptions {
  readonly stdio?: true;
  readonly http?: true;
  readonly port: number;
  readonly host: string;
  readonly allowHost: readonly string[];
  readonly maxSessions: number;
  readonly data?: string;
  readonly rules?: RuleSet;
}

async function loadWithRules({ data, rules }: McpOptions, cwd: string): Promise<RetailDomain> {
  const domain = data === undefined ? builtInDomain() : await loadDomain(resolve(cwd, data));
  return rules === undefined ? domain : createDomain({ ...domain, rules });
}

async function serve(options: McpOptions, terminal: Terminal): Promise<void> {
  if ((options.stdio === true) === (options.http === true))
    throw new UsageError(
      'wrong-options',
      'expected exactly one of --stdio and --http; say how clients reach the server',
    );
  const domain = await loadWithRules(options, terminal.cwd);
  let release: (() => void) | undefined;
  const interrupted = new Promise<void>((settle) => {
    release = terminal.onInterrupt?.(settle);
  });
  const version = packageVersion();
  // Standard output carries the protocol under --stdio, so everything for people goes to standard error.
  const say = (line: string): void => terminal.err(`parlor mcp: ${line}\n`);
  try {
    if (options.stdio === true) {
      const server = await serveStdio({
        session: domain.openSession(),
        domain,
        version,
        input: process.stdin,
        output: process.stdout,
        onFault: (message) => say(`ignored: ${message}`),
      });
      say(`serving ${domain.label} (rules ${domain.rules}) on standard input and output`);
      await Promise.race([server.closed, interrupted]);
      await server.close();
      return;
    }
    const server = await serveHttp({
      domain,
      createSessionId: randomUUID,
      clock: systemClock,
      host: options.host,
      port: options.port,
      allowedHosts: options.allowHost,
      maxSessions: options.maxSessions,
      version,
    });
    say(
      `serving ${domain.label} (rules ${domain.rules}) at ${server.url}; each session has a world of its own`,
    );
    await interrupted;
    await server.close();
  } finally {
    release?.();
  }
}

/** `parlor mcp`: the retail world's tools as an MCP server. */
export const registerMcp: RegisterCommand = (program, terminal) => {
  program
    .command('mcp')
    .description('Serve the tools of the retail world over the Model Context Protocol.')
    .option('--stdio', 'one session on standard input and output')
    .option('--http', 'Streamable HTTP, each MCP session with a world of its own')
    .option(
      '--port <n>',
      'port for --http; 0 takes any free one',
      wholeNumber('--port', { min: 0, max: 65_535 }),
      8712,
    )
    .option('--host <name>', 'address to listen on for --http', '127.0.0.1')
    .option('--allow-host <name...>', 'further host names under which clients may reach the server', [])
    .option(
      '--max-sessions <n>',
      'how many MCP sessions may be open at once',
      wholeNumber('--max-sessions', { min: 1, max: 100_000 }),
      256,
    )
    .option('--data <dir>', 'a tau-bench or tau2-bench retail folder (default: the built-in world)')
    .option(
      '--rules <name>',
      `how the tools behave: ${RULE_SETS.join(', ')} (default: those of the data)`,
      oneOf('--rules', RULE_SETS),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  parlor mcp --stdio\n  parlor mcp --http --port 8712 --data data/tau2-retail',
    )
    .action((options: McpOptions) => serve(options, terminal));
};
