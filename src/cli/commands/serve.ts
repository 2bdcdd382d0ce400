import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { type OpenRecord, openNoRecord, openRunFolder, type RunFolder } from '../../episodes/index.js';
import { builtInDomain, loadDomain, type OutcomeRule, type RetailDomain } from '../../retail/index.js';
import { describeAgentMaterial, type EpisodeSummary, startSandbox } from '../../sandbox/index.js';
import { systemClock, UsageError } from '../../shared/index.js';
import type { Speaker } from '../../speech/index.js';
import { createScriptedCustomers } from '../../user/index.js';
import { oneOf, wholeNumber } from '../number-option.js';
import { packageVersion } from '../package-info.js';
import type { RegisterCommand } from '../program.js';
import { openSpeech } from '../running/speech.js';
import type { Terminal } from '../terminal.js';

interface ServeOptions {
  readonly data?: string;
  readonly host: string;
  readonly port: number;
  readonly tokenEnv?: string;
  readonly out?: string;
  readonly mode: (typeof MODES)[number];
  readonly outcomeRule?: OutcomeRule;
  readonly maxTurns: number;
  readonly maxConnections: number;
  readonly allowOrigin: readonly string[];
}

const MODES = ['both', 'text'] as const;
const RULES: readonly OutcomeRule[] = ['tarl', 'tau', 'tau2'];
const SOURCE_RULES: Readonly<Record<RetailDomain['source'], OutcomeRule>> = {
  ...{ parlor: 'tau2', tau1: 'tau', tau2: 'tau2' },
};

function readToken({ tokenEnv }: ServeOptions, { env }: Terminal): string | undefined {
  if (tokenEnv === undefined) return undefined;
  const token = env[tokenEnv];
  if (token !== undefined && token !== '') return token;
  throw new UsageError(
    'missing-token',
    `--token-env ${tokenEnv}: expected the token in the environment variable ${tokenEnv}; it is not set`,
  );
}

const isLoopback = (host: string): boolean => /^(127(\.\d+){3}|::1|localhost)$/.test(host);

/** A first conversation to paste into a shell in a folder where the `ws` package is installed, like the checkout. */
function example(url: string, { task, tokenEnv }: { task: string; tokenEnv: string | undefined }): string {
  const headers =
    tokenEnv === undefined ? '' : `, { headers: { authorization: "Bearer " + process.env.${tokenEnv} } }`;
  return `node --input-type=module -e '
import { WebSocket } from "ws";
const socket = new WebSocket("${url}"${headers});
socket.on("open", () => socket.send(JSON.stringify({ type: "episode.start", task: ${JSON.stringify(task)}, mode: "text", seed: 1 })));
socket.on("message", (data, isBinary) => {
  const event = isBinary ? { type: "audio" } : JSON.parse(data);
  console.log(event.type, event.text ?? event.reason ?? "");
  if (event.type === "customer.end") socket.send(JSON.stringify({ type: "agent.stop" }));
  if (event.type === "episode.end") socket.close();
});'
`;
}

async function openRecords(
  options: ServeOptions,
  domain: RetailDomain,
  cwd: string,
): Promise<RunFolder | null> {
  if (options.out === undefined) return null;
  const folder = await openRunFolder(resolve(cwd, options.out));
  const { policy, tools } = describeAgentMaterial(domain);
  await folder.writeWhole(folder.paths.policy, policy);
  await folder.writeWhole(folder.paths.tools, `${JSON.stringify(tools, null, 2)}\n`);
  return folder;
}

function describeEnd({ episode, reason, turns, outcome, agent }: EpisodeSummary): string {
  const reward = outcome === null ? 'no verdict' : `reward ${outcome.reward}`;
  return `parlor: ${episode}  ${agent}  ${reason} after ${turns} turns  ${reward}\n`;
}

/** Settles at the first Ctrl-C or SIGTERM; a second one while closing changes nothing. */
function untilInterrupted(terminal: Terminal): { readonly interrupted: Promise<void>; release(): void } {
  let release: (() => void) | undefined;
  const interrupted = new Promise<void>((settle) => {
    release = terminal.onInterrupt?.(() => settle());
  });
  return { interrupted, release: () => release?.() };
}

async function serve(options: ServeOptions, terminal: Terminal): Promise<void> {
  const token = readToken(options, terminal);
  const domain =
    options.data === undefined ? builtInDomain() : await loadDomain(resolve(terminal.cwd, options.data));
  const folder = await openRecords(options, domain, terminal.cwd);
  const openRecord: OpenRecord = folder?.open ?? openNoRecord;
  const speaker: Speaker | null =
    options.mode === 'text' ? null : (await openSpeech(terminal.env, availableParallelism())).speaker;
  const { interrupted, release } = untilInterrupted(terminal);
  try {
    const sandbox = await startSandbox({
      ...{ domain, speaker, openRecord, clock: systemClock, customers: createScriptedCustomers() },
      ...{ host: options.host, port: options.port },
      tokens: token === undefined ? [] : [token],
      http: { maxConnections: options.maxConnections, maxConnectionsPerAddress: options.maxConnections },
      outcomeRule: options.outcomeRule ?? SOURCE_RULES[domain.source],
      limits: { maxTurns: options.maxTurns },
      allowedOrigins: options.allowOrigin,
      serverName: `parlor/${packageVersion()}`,
      onEpisodeEnd: (summary) => {
        folder?.appendTiming(summary.timing);
        terminal.err(describeEnd(summary));
      },
      log: ({ level, message }) => terminal.err(`parlor: ${level}: ${message}\n`),
    });
    if (!isLoopback(options.host))
      terminal.err(
        `parlor: warning: listening on ${options.host}, beyond this machine, ${token === undefined ? 'without a token; give --token-env NAME' : 'unencrypted; put TLS in front of it'}\n`,
      );
    const [first] = domain.tasks;
    const modes = speaker === null ? 'text' : 'speech and text';
    terminal.out(
      `Serving ${domain.tasks.length} tasks of ${domain.label} in ${modes}\n` +
        `  agents   ${sandbox.url}\n` +
        `  health   http://${new URL(sandbox.url).host}/health\n` +
        `  records  ${folder === null ? 'not kept; give --out DIR' : folder.dir}\n` +
        `  stop     Ctrl-C\n\n` +
        `A first conversation, from another terminal:\n\n` +
        example(sandbox.url, { task: first?.id ?? '', tokenEnv: options.tokenEnv }),
    );
    await interrupted;
    terminal.err('parlor: closing; running episodes end as shutdown\n');
    await sandbox.close();
  } finally {
    release();
    await speaker?.close();
  }
}

/** `parlor serve`: the sandbox for agents of your own. */
export const registerServe: RegisterCommand = (program, terminal) => {
  program
    .command('serve')
    .description('Serve the sandbox over a WebSocket, for agents of your own (docs/protocol.md).')
    .option('--data <folder>', 'a tau2-bench or tau-bench retail folder (default: the built-in world)')
    .option('--host <name>', 'address to listen on', '127.0.0.1')
    .option('--port <n>', 'port; 0: any free one', wholeNumber('--port', { min: 0, max: 65_535 }), 8710)
    .option('--token-env <name>', 'environment variable with the token that clients must send')
    .option('--out <folder>', 'keep the records here (default: they are not kept)')
    .option('--mode <mode>', 'both (speech and text) or text', oneOf('--mode', MODES), 'both')
    .option(
      '--outcome-rule <rule>',
      `${RULES.join(', ')} (default: as the data's benchmark)`,
      oneOf('--outcome-rule', RULES),
    )
    .option(
      '--max-turns <n>',
      'agent actions after which an episode ends',
      wholeNumber('--max-turns', { min: 1, max: 1000 }),
      30,
    )
    .option(
      '--max-connections <n>',
      'how many agents at once',
      wholeNumber('--max-connections', { min: 1, max: 100_000 }),
      512,
    )
    .option('--allow-origin <origin...>', 'web pages that may connect, e.g. http://localhost:5173', [])
    .addHelpText(
      'after',
      '\nExamples:\n  $ parlor serve\n  $ parlor serve --data data/tau2-retail --mode text\n  $ parlor serve --data data/tau2-retail --host 0.0.0.0 --token-env PARLOR_TOKEN --out runs/lab',
    )
    .action((options: ServeOptions) => serve(options, terminal));
};
