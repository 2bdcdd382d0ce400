import { type Command, Option } from 'commander';
import { createOpenAiTranscriber, type Transcriber } from '../../models/index.js';
import { systemClock, UsageError } from '../../shared/index.js';
import { wholeNumber } from '../number-option.js';
import type { Terminal } from '../terminal.js';

/** How an agent that is a server is called. */
export interface PhoneFlags extends TranscriberFlags {
  readonly url?: string;
  readonly pace?: 'realtime' | 'fast';
  readonly endSilence?: number;
}

/** Where speech is turned into words. */
export interface TranscriberFlags {
  readonly transcriberUrl?: string;
  readonly transcriberModel?: string;
  readonly transcriberKeyEnv?: string;
}

export const PHONE_FLAGS = [
  ...(['url', 'pace', 'endSilence', 'transcriberUrl', 'transcriberModel', 'transcriberKeyEnv'] as const),
] satisfies readonly (keyof PhoneFlags)[];

export function addPhoneOptions(command: Command): Command {
  return addTranscriberOptions(command)
    .option('--url <url>', 'where an agent that is a server is called, e.g. ws://localhost:8080/media')
    .addOption(
      new Option(
        '--pace <pace>',
        'of the telephone: realtime, or fast for agents that can (default: realtime)',
      ).choices(['realtime', 'fast']),
    )
    .option(
      '--end-silence <ms>',
      'silence that ends what such an agent says (default: 1000)',
      wholeNumber('--end-silence', { min: 20, max: 60_000 }),
    );
}

export function addTranscriberOptions(command: Command): Command {
  return command
    .option(
      '--transcriber-url <url>',
      'an OpenAI-compatible server with /audio/transcriptions, mostly ending in /v1',
    )
    .option('--transcriber-model <name>', 'its model (default: whisper-1)')
    .option('--transcriber-key-env <name>', 'environment variable with its key (default: none is sent)');
}

const DEFAULT_MODEL = 'whisper-1';

/** The speech recognition for agents that give no words with their sound; null where none was asked for. */
export function openTranscriber(flags: TranscriberFlags, { env }: Terminal): Transcriber | null {
  const { transcriberUrl: baseUrl, transcriberKeyEnv: keyEnv, transcriberModel: model } = flags;
  if (baseUrl === undefined) return null;
  if (!/^https?:\/\/./.test(baseUrl) || !URL.canParse(baseUrl))
    throw new UsageError(
      'bad-option',
      `--transcriber-url must be an address like http://localhost:8000/v1; got "${baseUrl}"`,
    );
  const apiKey = keyEnv === undefined ? undefined : env[keyEnv];
  if (keyEnv !== undefined && (apiKey === undefined || apiKey === ''))
    throw new UsageError(
      'missing-key',
      `the environment variable ${keyEnv} (--transcriber-key-env) is not set`,
    );
  return createOpenAiTranscriber({ baseUrl, model: model ?? DEFAULT_MODEL, apiKey, clock: systemClock });
}

/** @throws UsageError when it is no WebSocket address */
export function agentAddress({ url }: PhoneFlags): string {
  if (url !== undefined && /^wss?:\/\/./.test(url) && URL.canParse(url)) return url;
  throw new UsageError(
    'bad-option',
    `this agent is called: give --url with its address, like ws://localhost:8080/media; got ${url === undefined ? 'none' : `"${url}"`}`,
  );
}
