import { type Command, Option } from 'commander';
import type { ServerKind } from '../../models/index.js';
import { decimal, wholeNumber } from '../number-option.js';
import { addPhoneOptions, PHONE_FLAGS, type PhoneFlags } from './phone-flags.js';
import { addRealtimeOptions, REALTIME_FLAGS, type RealtimeFlags } from './realtime-flags.js';

/** Where models are and how they are asked; the same flags for every command that asks one. */
export interface ServerFlags {
  readonly baseUrl?: string;
  readonly model?: string;
  readonly server?: ServerKind;
  readonly apiKeyEnv?: string;
  readonly stream?: true;
  readonly timeout?: number;
  readonly retries?: number;
  readonly maxRequests?: number;
  readonly record?: string;
  readonly replay?: string;
  readonly preflight?: boolean;
  readonly priceIn?: number;
  readonly priceOut?: number;
}

/** How a chat agent goes about it. */
export interface AgentFlags extends PhoneFlags, RealtimeFlags {
  readonly temperature?: number;
  readonly topP?: number;
  readonly replyTokens?: number;
  readonly think?: true;
  readonly tools?: 'api' | 'text';
  readonly singleCalls?: true;
  readonly audioForm?: 'audio_url' | 'input_audio';
  readonly audioHistory?: 'keep' | 'drop' | 'transcribe';
  readonly audioTokens?: number;
  readonly audioBudget?: number;
  readonly contextTokens?: number;
  readonly tokenIds?: true;
}

/** Who the customer is. */
export interface UserFlags {
  readonly user?: 'scripted' | 'model';
  readonly userBaseUrl?: string;
  readonly userModel?: string;
  readonly userServer?: ServerKind;
  readonly userApiKeyEnv?: string;
  readonly userTemperature?: number;
  readonly persona?: string;
  readonly language?: string;
}

const AGENT_FLAGS = [
  ...(['temperature', 'topP', 'replyTokens', 'think', 'tools', 'singleCalls', 'audioForm'] as const),
  ...PHONE_FLAGS,
  ...REALTIME_FLAGS,
  ...(['audioHistory', 'audioTokens', 'audioBudget', 'contextTokens', 'tokenIds'] as const),
] satisfies readonly (keyof AgentFlags)[];

/** The agent's flags among all that were given; those that were not stay away. */
export function pickAgentFlags(flags: AgentFlags): AgentFlags {
  return Object.fromEntries(
    AGENT_FLAGS.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])),
  );
}

const SERVERS: readonly ServerKind[] = ['vllm', 'sglang', 'openai', 'plain'];

export function addUserOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--user <kind>', 'who plays the customer: scripted or model (default: scripted)').choices([
        'scripted',
        'model',
      ]),
    )
    .option('--user-base-url <url>', "server of the customer's model (default: that of --base-url)")
    .option('--user-model <name>', "the customer's model")
    .addOption(new Option('--user-server <kind>', 'what that server takes').choices(SERVERS))
    .option('--user-api-key-env <name>', 'environment variable with its key')
    .option(
      '--user-temperature <x>',
      "of the customer's model (default: the server's)",
      decimal('--user-temperature', { min: 0, max: 2 }),
    )
    .option('--persona <traits>', 'neutral, varied, or traits like mood=annoyed,age=old (default: neutral)')
    .option('--language <tag>', 'what the customer speaks, e.g. de (default: English)');
}

export function addServerOptions(command: Command): Command {
  return command
    .option('--base-url <url>', 'an OpenAI-compatible server, mostly ending in /v1')
    .option('--model <name>', 'a model that the server lists')
    .addOption(
      new Option(
        '--server <kind>',
        'what the server takes (default: openai for api.openai.com, else vllm)',
      ).choices(SERVERS),
    )
    .option(
      '--api-key-env <name>',
      'environment variable with the key (default: PARLOR_API_KEY, else OPENAI_API_KEY)',
    )
    .option('--stream', 'read replies as streams; for hosted models that give nothing else')
    .option(
      '--timeout <s>',
      'for one try of one request (default: 120)',
      wholeNumber('--timeout', { min: 1, max: 3600 }),
    )
    .option(
      '--retries <n>',
      'further tries after a failure that may pass (default: 4)',
      wholeNumber('--retries', { min: 0, max: 20 }),
    )
    .option(
      '--max-requests <n>',
      'requests under way at one server at once (default: 32)',
      wholeNumber('--max-requests', { min: 1, max: 1024 }),
    );
}

export function addRecordOptions(command: Command): Command {
  return command
    .option('--record <folder>', 'keep every exchange with a model there, without keys and audio')
    .option('--replay <folder>', 'ask no server: say again what was recorded there')
    .option('--no-preflight', 'do not try the models before the run')
    .option(
      '--price-in <x>',
      'price of a million prompt tokens, for the estimate',
      decimal('--price-in', { min: 0, max: 1e6 }),
    )
    .option(
      '--price-out <x>',
      'price of a million reply tokens',
      decimal('--price-out', { min: 0, max: 1e6 }),
    );
}

export function addAgentOptions(command: Command): Command {
  return addRealtimeOptions(addPhoneOptions(command))
    .option(
      '--temperature <x>',
      "of the agent's model (default: the server's)",
      decimal('--temperature', { min: 0, max: 2 }),
    )
    .option(
      '--top-p <x>',
      "of the agent's model (default: the server's)",
      decimal('--top-p', { min: 0, max: 1 }),
    )
    .option(
      '--reply-tokens <n>',
      'most tokens of one reply (default: 1024)',
      wholeNumber('--reply-tokens', { min: 1, max: 100_000 }),
    )
    .option('--think', 'ask the model for reasons before each action')
    .addOption(
      new Option('--tools <form>', 'api, or text for servers without a tool parser (default: api)').choices([
        'api',
        'text',
      ]),
    )
    .option('--single-calls', 'at most one tool call in a reply')
    .addOption(
      new Option('--audio-form <form>', "how clips are sent (default: the server's)").choices([
        'audio_url',
        'input_audio',
      ]),
    )
    .addOption(
      new Option(
        '--audio-history <choice>',
        "what becomes of the customer's older clips (default: keep)",
      ).choices(['keep', 'drop', 'transcribe']),
    )
    .option(
      '--audio-tokens <n>',
      'audio tokens a second (default: 13 for Qwen3, else 25)',
      wholeNumber('--audio-tokens', { min: 1, max: 1000 }),
    )
    .option(
      '--audio-budget <n>',
      'most audio tokens in one prompt (default: 16000)',
      wholeNumber('--audio-budget', { min: 1, max: 10_000_000 }),
    )
    .option(
      '--context-tokens <n>',
      "of the agent's model (default: 32768)",
      wholeNumber('--context-tokens', { min: 256, max: 10_000_000 }),
    )
    .option('--token-ids', 'keep token ids and log-probabilities for training (vLLM, SGLang)');
}
