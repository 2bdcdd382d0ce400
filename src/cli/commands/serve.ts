import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { encodeWav } from '../../audio/index.js';
import { type OpenRecord, openNoRecord, openRunFolder, type RunFolder } from '../../episodes/index.js';
import type { Transcriber } from '../../models/index.js';
import type { OutcomeRule, RetailDomain } from '../../retail/index.js';
import {
  describeAgentMaterial,
  type EpisodeSummary,
  type ReadClip,
  type Sandbox,
  type SandboxOptions,
  startSandbox,
} from '../../sandbox/index.js';
import { systemClock } from '../../shared/index.js';
import { createScriptedCustomers } from '../../user/index.js';
import { addTranscriberOptions, openTranscriber, type TranscriberFlags } from '../models/phone-flags.js';
import { oneOf, wholeNumber } from '../number-option.js';
import { packageVersion } from '../package-info.js';
import type { RegisterCommand } from '../program.js';
import {
  checkMaths,
  type DomainName,
  domainOption,
  openDomain,
  partsOf,
  SOURCE_RULES,
} from '../running/domains.js';
import { RECORDINGS } from '../running/finish-run.js';
import { watchInterrupts } from '../running/interrupts.js';
import { addLiveJudgeOption, type LiveJudgeName, openLiveJudge } from '../running/live-judge.js';
import { maxTurnsOption } from '../running/max-turns-option.js';
import { checkStreamSpeech, STREAM_SPEECH } from '../running/stream-speech.js';
import { whileClaimed } from '../running/while-claimed.js';
import { type AccessOptions, readTls, readTokens } from '../serving/access.js';
import { hostName, publicUrl, webOrigin } from '../serving/addresses.js';
import { createCallRecorder } from '../serving/call-recorder.js';
import { warnOfExposure } from '../serving/exposure.js';
import { greet } from '../serving/greeting.js';
import { serveUntilInterrupted } from '../serving/leave.js';
import { addRolloutOptions, openRollouts, type RolloutFlags } from '../serving/rollouts/open-rollouts.js';
import { createServeLog, LOG_FORMATS, LOG_LEVELS, type ServeLog } from '../serving/serve-log.js';
import { NO_SPEECH, openServedSpeech } from '../serving/served-speech.js';
import { createTurnRewards } from '../serving/turn-rewards.js';
import type { Terminal } from '../terminal.js';

interface ServeOptions extends AccessOptions, TranscriberFlags, RolloutFlags {
  readonly domain?: DomainName;
  readonly data?: string;
  readonly host: string;
  readonly port: number;
  readonly out?: string;
  readonly recordings?: true;
  readonly mode: (typeof MODES)[number];
  readonly conditions?: string;
  readonly voices?: string;
  readonly outcomeRule?: OutcomeRule;
  readonly maxTurns: number;
  readonly turnTaking?: true;
  readonly streamSpeech?: true;
  readonly liveJudge?: LiveJudgeName;
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress?: number;
  readonly allowOrigin: readonly string[];
  readonly allowHost: readonly string[];
  readonly publicUrl?: string;
  readonly openenvMode: (typeof OPENENV_MODES)[number];
  readonly drainSeconds: number;
  readonly logFormat: (typeof LOG_FORMATS)[number];
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

const OPENENV_MODES = ['simulation', 'production'] as const;
const MODES = ['both', 'text'] as const;
const RULES: readonly OutcomeRule[] = ['tarl', 'tau', 'tau2'];

/** What is known before the folder of records is claimed. */
interface Served {
  readonly access: Awaited<ReturnType<typeof readTokens>>;
  readonly tls: Awaited<ReturnType<typeof readTls>>;
  readonly log: ServeLog;
  readonly transcriber: Transcriber | null;
  readonly domain: RetailDomain;
  /** Where records go; null: nowhere. */
  readonly dir: string | null;
}

async function openRecords(dir: string | null, domain: RetailDomain): Promise<RunFolder | null> {
  if (dir === null) return null;
  const folder = await openRunFolder(dir);
  const { policy, tools } = describeAgentMaterial(domain);
  await folder.writeWhole(folder.paths.policy, policy);
  await folder.writeWhole(folder.paths.tools, `${JSON.stringify(tools, null, 2)}\n`);
  return folder;
}

function logEnd(log: ServeLog, summary: EpisodeSummary): void {
  const { episode, task, mode, trial, seed, agent, reason, owner, turns, outcome, timing, recorded } =
    summary;
  const reward = outcome === null ? 'no verdict' : `reward ${outcome.reward}`;
  log({
    level: owner === 'platform' ? 'warning' : 'info',
    event: 'episode_end',
    message: `${episode}  ${agent}  ${reason} after ${turns} turns  ${reward}`,
    fields: {
      ...{ episode, task, mode, trial, seed, agent, reason, owner, turns, recorded },
      reward: outcome?.reward ?? null,
      durationMs: Math.round(timing.durationMs),
    },
  });
}

const readClipOf = ({ paths }: RunFolder): ReadClip => {
  return (sha256) => readFile(paths.clip(sha256)).catch(() => null);
};

/** What agents say in their own voice, for the sandbox: the server is asked with a WAV file. */
const hearWith = (transcriber: Transcriber): SandboxOptions['transcriber'] => ({
  name: transcriber.name,
  transcribe: (pcm) => transcriber.transcribe(encodeWav(pcm), new AbortController().signal),
});

async function serve(options: ServeOptions, terminal: Terminal): Promise<void> {
  const access = await readTokens(options, terminal);
  const tls = await readTls(options, terminal);
  const log = createServeLog(terminal, {
    ...{ format: options.logFormat, level: options.logLevel, secrets: access.tokens },
    now: () => new Date(),
  });
  const transcriber = openTranscriber(options, terminal);
  const { domain: name = 'retail', data = null } = options;
  if (name === 'maths') {
    checkMaths({ liveJudge: options.liveJudge, conditions: options.conditions });
    checkStreamSpeech({ streamSpeech: options.streamSpeech, speaks: false, turnTaking: false });
  }
  const domain = await openDomain(name, { data, cwd: terminal.cwd });
  const dir = options.out === undefined ? null : resolve(terminal.cwd, options.out);
  const served = { access, tls, log, transcriber, domain, dir };
  await whileClaimed(dir, () => serveDomain(options, terminal, served));
}

async function serveDomain(options: ServeOptions, terminal: Terminal, served: Served): Promise<void> {
  const { access, tls, log, transcriber, domain, dir } = served;
  const folder = await openRecords(dir, domain);
  const openRecord: OpenRecord = folder?.open ?? openNoRecord;
  const recorder = createCallRecorder(options.recordings === true, folder, log);
  const { speaker, clean } =
    options.domain === 'maths' ? NO_SPEECH : await openServedSpeech(options, terminal);
  const rateTurns = createTurnRewards(domain.policy);
  const interrupts = watchInterrupts(terminal, { onFirst: () => undefined, onSecond: () => undefined });
  try {
    let started: Sandbox | null = null;
    const rollouts = openRollouts(options, {
      sandbox: () => {
        if (started === null) throw new RangeError('the sandbox has not started');
        return started;
      },
      ...{ rateTurns, cleanSpeaker: clean, folder: folder?.dir ?? null, log },
    });
    const sandbox = await startSandbox({
      ...{ domain, speaker, openRecord, clock: systemClock, customers: createScriptedCustomers() },
      ...partsOf(domain),
      ...{ host: options.host, port: options.port, tls, tokens: access.tokens },
      ...{ allowedOrigins: options.allowOrigin, allowedHosts: options.allowHost },
      http: {
        maxConnections: options.maxConnections,
        maxConnectionsPerAddress: options.maxConnectionsPerAddress ?? options.maxConnections,
      },
      outcomeRule: options.outcomeRule ?? SOURCE_RULES[domain.source],
      limits: { maxTurns: options.maxTurns },
      turnTaking: options.turnTaking === true,
      streamSpeech: options.streamSpeech === true,
      liveJudge: openLiveJudge(options.liveJudge, domain),
      serverName: `parlor/${packageVersion()}`,
      transcriber: transcriber === null ? undefined : hearWith(transcriber),
      publicUrl: options.publicUrl,
      openEnv: {
        ...{ mode: options.openenvMode, maxSessions: options.maxConnections },
        rateTurns,
      },
      rollouts,
      readClip: folder === null ? undefined : readClipOf(folder),
      onEpisodeEnd: (summary) => {
        folder?.appendTiming(summary.timing);
        recorder?.record(summary.episode);
        logEnd(log, summary);
      },
      onHttpAnswer: ({ method, route, status }) =>
        log({
          ...{ level: 'debug', event: 'request', fields: { method, route, status } },
          message: `${method} ${route} ${status}`,
        }),
      log: ({ level, message, episode }) => log({ level, event: 'sandbox', message, fields: { episode } }),
    });
    started = sandbox;
    warnOfExposure(log, { ...access, host: options.host, hasTls: tls !== undefined });
    terminal.out(
      greet({
        ...{ url: sandbox.url, tasks: domain.tasks.length, domain: domain.label },
        ...{ firstTask: domain.tasks[0]?.id ?? '', modes: speaker === null ? 'text' : 'speech and text' },
        ...{ records: folder?.dir ?? null, tlsCert: options.tlsCert },
        tokenEnv: access.tokens.length === 0 ? null : (options.tokenEnv ?? 'PARLOR_TOKEN'),
      }),
    );
    const drainMs = options.drainSeconds * 1000;
    await serveUntilInterrupted(sandbox, interrupts, { drainMs, clock: systemClock, log });
  } finally {
    interrupts.release();
    await recorder?.settled();
    await speaker?.close();
  }
}

/** `parlor serve`: the sandbox for agents of your own. */
export const registerServe: RegisterCommand = (program, terminal) => {
  const command = program
    .command('serve')
    .description('Serve the sandbox over a WebSocket, for agents of your own (docs/protocol.md).')
    .addOption(domainOption())
    .option(
      '--data <path>',
      'a tau2-bench or tau-bench retail folder, or a file of parlor tasks generate (default: built in)',
    )
    .option('--host <name>', 'address to listen on', '127.0.0.1')
    .option('--port <n>', 'port; 0: any free one', wholeNumber('--port', { min: 0, max: 65_535 }), 8710)
    .option('--token-env <name>', 'environment variable with the token that clients must send (or several)')
    .option('--token-file <file>', 'file with tokens, one a line; any of them opens')
    .option('--tls-cert <file>', 'certificate (PEM, with its chain): the port speaks TLS')
    .option('--tls-key <file>', 'its private key (PEM)')
    .option('--out <folder>', 'keep the records here (default: they are not kept)')
    .option(...RECORDINGS)
    .option('--mode <mode>', 'both (speech and text) or text', oneOf('--mode', MODES), 'both')
    .option('--conditions <preset|file>', 'the line and room that customers call from (docs/speech.md)')
    .option('--voices <folder>', 'customers speak with the voices of this folder')
    .option(...STREAM_SPEECH)
    .option(
      '--turn-taking',
      'let agents ask for customers that yield, break in and check in (docs/speech.md)',
    )
    .option(
      '--outcome-rule <rule>',
      `${RULES.join(', ')} (default: as the data's benchmark)`,
      oneOf('--outcome-rule', RULES),
    )
    .addOption(maxTurnsOption('is the default'))
    .option(
      '--max-connections <n>',
      'how many agents at once',
      wholeNumber('--max-connections', { min: 1, max: 100_000 }),
      512,
    )
    .option(
      '--max-connections-per-address <n>',
      'the same for one address (default: no less than all)',
      wholeNumber('--max-connections-per-address', { min: 1, max: 100_000 }),
    )
    .option(
      '--drain-seconds <n>',
      'how long running episodes may go on after Ctrl-C or SIGTERM',
      wholeNumber('--drain-seconds', { min: 0, max: 86_400 }),
      0,
    )
    .option('--log-format <format>', LOG_FORMATS.join(' or '), oneOf('--log-format', LOG_FORMATS), 'human')
    .option('--log-level <level>', LOG_LEVELS.join(', '), oneOf('--log-level', LOG_LEVELS), 'info')
    .option('--public-url <url>', 'how agents reach this server, when not by its host and port', publicUrl)
    .option(
      '--openenv-mode <mode>',
      'simulation, or production: no HTTP reset, step and state (docs/openenv.md)',
      oneOf('--openenv-mode', OPENENV_MODES),
      'simulation',
    )
    .option(
      '--allow-host <name...>',
      'names of this server beside its addresses, when it has no token',
      hostName,
      [],
    )
    .option(
      '--allow-origin <origin...>',
      'web pages that may connect, e.g. http://localhost:5173',
      webOrigin,
      [],
    );
  addRolloutOptions(addLiveJudgeOption(addTranscriberOptions(command)))
    .addHelpText(
      'after',
      '\nExamples:\n  $ parlor serve\n  $ parlor serve --data data/tau2-retail --mode text\n  $ parlor serve --data data/tau2-retail --host 0.0.0.0 --token-file tokens.txt --tls-cert cert.pem --tls-key key.pem --drain-seconds 60 --log-format json --out runs/lab',
    )
    .action((options: ServeOptions) => serve(options, terminal));
};
