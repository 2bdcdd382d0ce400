import { type Command, Option } from 'commander';
import type { RealtimeAgentOptions } from '../../agents/index.js';
import { UsageError } from '../../shared/index.js';
import { share, wholeNumber } from '../number-option.js';
import type { Terminal } from '../terminal.js';
import { keyFrom } from './model-key.js';

/** How a model behind a realtime WebSocket is spoken to. */
export interface RealtimeFlags {
  readonly dialect?: 'openai' | 'dashscope';
  readonly voice?: string;
  readonly turns?: 'manual' | 'server';
  readonly turnSilence?: number;
  readonly tailSilence?: number;
  readonly trailingSilenceMs?: number;
  readonly wireAudio?: 'pcm16' | 'mulaw' | 'alaw';
  readonly inputTranscription?: string;
  readonly bargeIn?: number;
}

export const REALTIME_FLAGS = [
  ...(['dialect', 'voice', 'turns', 'turnSilence', 'tailSilence', 'wireAudio'] as const),
  ...(['trailingSilenceMs'] as const),
  ...(['inputTranscription', 'bargeIn'] as const),
] satisfies readonly (keyof RealtimeFlags)[];

export function addRealtimeOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--dialect <name>',
        'of a realtime server: openai, or dashscope for Qwen-Omni-Realtime (default: openai)',
      ).choices(['openai', 'dashscope']),
    )
    .option('--voice <name>', "of a realtime model (default: the server's)")
    .addOption(
      new Option(
        '--turns <who>',
        'who tells a realtime model that the customer has spoken: manual, or its server (default: manual)',
      ).choices(['manual', 'server']),
    )
    .option(
      '--turn-silence <ms>',
      "after which a realtime server's turn detection ends a turn (default: 500; dashscope: 800)",
      wholeNumber('--turn-silence', { min: 200, max: 6000 }),
    )
    .option(
      '--tail-silence <ms>',
      'sent after what the customer says, for that detection (default: 500 more than --turn-silence)',
      wholeNumber('--tail-silence', { min: 0, max: 60_000 }),
    )
    .option(
      '--trailing-silence-ms <ms>',
      'the same, and for agents on the telephone with --pace fast (default there: 1000)',
      wholeNumber('--trailing-silence-ms', { min: 0, max: 60_000 }),
    )
    .addOption(
      new Option('--wire-audio <coding>', 'to and from a realtime server (default: pcm16)').choices([
        'pcm16',
        'mulaw',
        'alaw',
      ]),
    )
    .option('--input-transcription <model>', 'let a realtime server write down what the customer says')
    .option(
      '--barge-in <share>',
      "of a realtime agent's utterances into which the customer breaks (default: 0)",
      share('--barge-in'),
    );
}

/** @throws UsageError when it is not said where the model is, or its key is missing */
export function realtimeServer(
  { baseUrl, model, apiKeyEnv }: { baseUrl?: string; model?: string; apiKeyEnv?: string },
  terminal: Terminal,
): Pick<RealtimeAgentOptions, 'baseUrl' | 'model' | 'apiKey'> {
  if (baseUrl === undefined || model === undefined)
    throw new UsageError(
      'missing-model',
      'the agent "realtime" is a model behind a WebSocket: give --base-url, like wss://api.openai.com/v1/realtime, and --model',
    );
  if (!/^wss?:\/\/./.test(baseUrl) || !URL.canParse(baseUrl))
    throw new UsageError(
      'bad-option',
      `--base-url of a realtime model must be a WebSocket address like wss://api.openai.com/v1/realtime; got "${baseUrl}"`,
    );
  return { baseUrl, model, apiKey: keyFrom(terminal, apiKeyEnv) };
}
