import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { turnTakingSchema } from '../../protocol/index.js';
import type { OutcomeRule } from '../../retail/index.js';
import {
  type AgentFlags,
  addAgentOptions,
  addRecordOptions,
  addServerOptions,
  addUserOptions,
  type ServerFlags,
  type UserFlags,
} from '../models/model-flags.js';
import { oneOf, share, wholeNumber } from '../number-option.js';
import { domainOption } from './domains.js';
import { RECORDINGS } from './finish-run.js';
import { addLiveJudgeOption } from './live-judge.js';
import { maxTurnsOption } from './max-turns-option.js';
import { DEFAULT_SEED, DEFAULT_TASKS, DEFAULT_TRIALS, DEMO_FAULTS, type RunFlags } from './run-settings.js';
import { STREAM_SPEECH } from './stream-speech.js';

/** All flags of `parlor run`. */
export interface RunOptions extends RunFlags, ServerFlags, AgentFlags, UserFlags {
  readonly out?: string;
  readonly resume?: string;
  readonly voices?: string;
  readonly voiceTasks?: string;
  readonly streamSpeech?: true;
  readonly concurrency: number;
  readonly port: number;
  readonly report: boolean;
  readonly recordings?: true;
  readonly json?: true;
}

const MODES = ['speech', 'text', 'both'] as const;
const RULES: readonly OutcomeRule[] = ['tarl', 'tau', 'tau2'];

export function addRunOptions(command: Command): void {
  command
    .addOption(domainOption())
    .option(
      '--data <path>',
      'a tau2-bench or tau-bench retail folder, or a file of parlor tasks generate (default: built in)',
    )
    .option('--split <name>', 'only tasks of this split (default: "test", where there is one)')
    .option(
      '--tasks <n|ids>',
      `how many tasks, or ids separated by commas (default: all of --data, ${DEFAULT_TASKS} built-in ones)`,
    )
    .option(
      '--trials <n>',
      `episodes of each task (default: ${DEFAULT_TRIALS})`,
      wholeNumber('--trials', { min: 1, max: 1000 }),
    )
    .option('--mode <mode>', 'speech, text or both (default: speech)', oneOf('--mode', MODES))
    .option('--agent <name>', `who plays (default: oracle, with --faults ${DEMO_FAULTS})`)
    .option(
      '--faults <share>',
      'chance of a seeded fault in an episode of the reference agent',
      share('--faults'),
    )
    .option(
      '--seed <n>',
      `decides customers, voices and faults (default: ${DEFAULT_SEED})`,
      wholeNumber('--seed', { min: 0, max: 0xffffffff }),
    )
    .option(
      '--outcome-rule <rule>',
      'tarl, tau or tau2 (default: tau for tau-bench data, else tau2)',
      oneOf('--outcome-rule', RULES),
    )
    .addOption(maxTurnsOption('is seen'))
    .option(
      '--conditions <name>',
      'line and room of the customer: clean, control, regular …, or a .json file (default: clean)',
    )
    .option(
      '--turn-taking <preset>',
      'how customers take turns in speech: half-duplex, patient, attentive or lively (default: half-duplex)',
      oneOf('--turn-taking', turnTakingSchema.options),
    )
    .option(
      '--voice-tasks <file>',
      "tau2-bench's tasks_voice.json: each task has its own conditions, of the complexity that --conditions names (regular)",
    )
    .option(
      '--voices <folder>',
      'customers speak with the voices of this folder (default: the built-in ones)',
    )
    .option(...STREAM_SPEECH)
    .option('--out <folder>', 'where the run goes (default: a new folder in runs/)')
    .option('--resume <folder>', 'go on with this run; its own settings are kept')
    .option(
      '--concurrency <n>',
      'episodes at the same time; changes no result',
      wholeNumber('--concurrency', { min: 1, max: 256 }),
      Math.max(2, 2 * availableParallelism()),
    )
    .option(
      '--port <n>',
      'port of the sandbox; 0: any free one',
      wholeNumber('--port', { min: 0, max: 65535 }),
      0,
    )
    .option('--no-report', 'write no report.html')
    .option(...RECORDINGS)
    .option('--json', 'print one JSON document instead of the table');
  addLiveJudgeOption(command);
  addServerOptions(command);
  addAgentOptions(command);
  addUserOptions(command);
  addRecordOptions(command);
}
