import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
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

/** What a model does in a run; its exchanges are kept under this name. */
export type ModelRole = 'agent' | 'user' | 'judge' | 'rewriter';

export interface AskedModel {
  /** For a preflight: gives up early, and nothing of it is recorded. */
  readonly probe: ChatClient;
  readonly baseUrl: string;
}

export interface Models {
  /** @throws UsageError when it is not said where the model is, or nothing was recorded for it */
  open(role: ModelRole, flags: ServerFlags & Pick<OpenAiChatOptions, 'audioForm'>): ChatClient;
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

function replayed(folder: string, role: ModelRole): ChatClient {
  const path = join(folder, `${role}.jsonl`);
  try {
    return createRecordedChat(readFileSync(path, 'utf8'), path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      'file-unreadable',
      `--replay: nothing was recorded for the ${role} there: ${describeError(error)}`,
      { cause: error },
    );
  }
}

function recorded(client: ChatClient, folder: string, role: ModelRole): ChatClient {
  const path = join(folder, `${role}.jsonl`);
  let isNew: boolean;
  try {
    mkdirSync(folder, { recursive: true });
    isNew = !existsSync(path) || statSync(path).size === 0;
  } catch (error) {
    throw new UsageError('cannot-write', `--record: cannot write to ${folder}: ${describeError(error)}`);
  }
  let isHeader = true;
  return recordChat(client, (line) => {
    // A recording that goes on has its header already.
    if (!isHeader || isNew) appendFileSync(path, line);
    isHeader = false;
  });
}

/** Opens the models of one command; those of one server share its places. */
export function openModels(terminal: Terminal): Models {
  const asked = new Map<ModelRole, AskedModel>();
  let gates: ReturnType<typeof createProviderGates> | undefined;
  return {
    asked,
    open: (role, flags) => {
      const { replay, record, baseUrl: url, model } = flags;
      if (replay !== undefined && record !== undefined)
        throw new UsageError('bad-option', '--record asks models and --replay asks none; give one of them');
      if (replay !== undefined) return replayed(resolve(terminal.cwd, replay), role);
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
      asked.set(role, { probe: createOpenAiChat({ ...options, retries: 1 }), baseUrl });
      return record === undefined ? client : recorded(client, resolve(terminal.cwd, record), role);
    },
  };
}
