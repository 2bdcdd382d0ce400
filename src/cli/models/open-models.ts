import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type probeRealtime,
  type RealtimeAgentOptions,
  recordRealtime,
  replayRealtime,
} from '../../agents/index.js';
import {
  type ChatClient,
  createOpenAiChat,
  createProviderGates,
  createRecordedChat,
  type OpenAiChatOptions,
  recordChat,
  type ServerKind,
} from '../../models/index.js';
import { createRandom, deriveSeed, describeError, systemClock, UsageError } from '../../shared/index.js';
import type { Terminal } from '../terminal.js';
import type { ServerFlags } from './model-flags.js';
import { keyFrom } from './model-key.js';
import { type RealtimeFlags, realtimeServer } from './realtime-flags.js';

/** What a model does in a run; its exchanges are kept under this name. */
export type ModelRole = 'agent' | 'user' | 'judge' | 'rewriter';

/** For a preflight: gives up early, and nothing of it is recorded. */
export type AskedModel =
  | { readonly kind: 'chat'; readonly baseUrl: string; readonly probe: ChatClient }
  | {
      readonly kind: 'realtime';
      readonly baseUrl: string;
      readonly options: Parameters<typeof probeRealtime>[0];
    };

export interface Models {
  /** @throws UsageError when it is not said where the model is, or nothing was recorded for it */
  open(role: ModelRole, flags: ServerFlags & Pick<OpenAiChatOptions, 'audioForm'>): ChatClient;
  /** A speech-to-speech model for the agent. @throws UsageError as `open` */
  openRealtime(
    flags: ServerFlags & RealtimeFlags,
  ): Pick<RealtimeAgentOptions, 'baseUrl' | 'model' | 'apiKey' | 'recording'>;
  /** Roles that ask a server, with where it is; none when replaying. */
  readonly asked: ReadonlyMap<ModelRole, AskedModel>;
}

const DEFAULT_MAX_REQUESTS = 32;

/** Names of flags per role, for messages. */
const FLAGS: Readonly<Record<ModelRole, { readonly url: string; readonly model: string }>> = {
  agent: { url: '--base-url', model: '--model' },
  user: { url: '--user-base-url', model: '--user-model' },
  judge: { url: '--base-url', model: '--model' },
  rewriter: { url: '--rewrite-base-url', model: '--rewrite-model' },
};

function checkedUrl(text: string, flag: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new UsageError(
      'bad-option',
      `${flag} must be an address like http://localhost:8000/v1; got "${text}"`,
    );
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new UsageError('bad-option', `${flag} must begin with http:// or https://; got "${text}"`);
  return text.replace(/\/+$/, '');
}

export function serverKindOf(baseUrl: string): ServerKind {
  const { hostname } = new URL(baseUrl);
  return hostname === 'api.openai.com' ? 'openai' : 'vllm';
}

interface Recording {
  readonly text: string;
  readonly path: string;
}

function readRecording(folder: string, role: ModelRole): Recording {
  const path = join(folder, `${role}.jsonl`);
  try {
    return { text: readFileSync(path, 'utf8'), path };
  } catch (error) {
    throw new UsageError(
      'file-unreadable',
      `--replay: nothing was recorded for the ${role} there: ${describeError(error)}`,
      { cause: error },
    );
  }
}

/** Takes the lines of a recording, header first. */
function recordingTo(folder: string, role: ModelRole): (line: string) => void {
  const path = join(folder, `${role}.jsonl`);
  let isNew: boolean;
  try {
    mkdirSync(folder, { recursive: true });
    isNew = !existsSync(path) || statSync(path).size === 0;
  } catch (error) {
    throw new UsageError('cannot-write', `--record: cannot write to ${folder}: ${describeError(error)}`);
  }
  let isHeader = true;
  return (line) => {
    // A recording that goes on has its header already.
    if (!isHeader || isNew) appendFileSync(path, line);
    isHeader = false;
  };
}

function checkRecordFlags({ replay, record }: Pick<ServerFlags, 'record' | 'replay'>): void {
  if (replay !== undefined && record !== undefined)
    throw new UsageError('bad-option', '--record asks models and --replay asks none; give one of them');
}

/** Opens the models of one command; those of one server share its places. */
export function openModels(terminal: Terminal): Models {
  const asked = new Map<ModelRole, AskedModel>();
  let gates: ReturnType<typeof createProviderGates> | undefined;
  return {
    asked,
    open: (role, flags) => {
      const { replay, record, baseUrl: url, model } = flags;
      checkRecordFlags(flags);
      if (replay !== undefined) {
        const { text, path } = readRecording(resolve(terminal.cwd, replay), role);
        return createRecordedChat(text, path);
      }
      const names = FLAGS[role];
      if (url === undefined || model === undefined)
        throw new UsageError(
          'missing-model',
          `the ${role} needs a model: give ${names.url} URL and ${names.model} NAME (or set them in parlor.config.json)`,
        );
      const baseUrl = checkedUrl(url, names.url);
      gates ??= createProviderGates(flags.maxRequests ?? DEFAULT_MAX_REQUESTS);
      const options: OpenAiChatOptions = {
        ...{ baseUrl, model, server: flags.server ?? serverKindOf(baseUrl) },
        apiKey: keyFrom(terminal, flags.apiKeyEnv),
        ...{ stream: flags.stream, audioForm: flags.audioForm, retries: flags.retries },
        timeoutMs: flags.timeout === undefined ? undefined : flags.timeout * 1000,
        ...{ clock: systemClock, random: createRandom(deriveSeed('retries', role)) },
        gate: gates(baseUrl),
      };
      const client = createOpenAiChat(options);
      asked.set(role, { kind: 'chat', probe: createOpenAiChat({ ...options, retries: 1 }), baseUrl });
      return record === undefined
        ? client
        : recordChat(client, recordingTo(resolve(terminal.cwd, record), role));
    },
    openRealtime: (flags) => {
      const { replay, record } = flags;
      checkRecordFlags(flags);
      if (replay !== undefined) {
        const { text, path } = readRecording(resolve(terminal.cwd, replay), 'agent');
        const recording = replayRealtime(text, path);
        return { baseUrl: 'ws://recorded', model: recording.model, recording };
      }
      const server = realtimeServer(flags, terminal);
      asked.set('agent', {
        kind: 'realtime',
        baseUrl: server.baseUrl,
        options: {
          ...{ ...server, clock: systemClock, dialect: flags.dialect, voice: flags.voice },
          ...{ encoding: flags.wireAudio, silenceMs: flags.turnSilence },
          transcriptionModel: flags.inputTranscription,
        },
      });
      if (record === undefined) return server;
      const append = recordingTo(resolve(terminal.cwd, record), 'agent');
      return { ...server, recording: recordRealtime(server.model, append) };
    },
  };
}
