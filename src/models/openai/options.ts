import type { Clock, JsonValue, Random } from '../../shared/index.js';

/** Lets so many jobs run at once and keeps the others waiting, first come first served. */
export type Gate = <T>(job: () => Promise<T>) => Promise<T>;

/**
 * What a server takes. `vllm` (and vllm-omni): audio as a data URL, token ids on request. `sglang`: the same, with its own name
 * for prompt ids. `openai`: audio as `input_audio`, `max_completion_tokens`, nothing that OpenAI would refuse. `plain`: as
 * `openai`, with the older `max_tokens`.
 */
export type ServerKind = 'vllm' | 'sglang' | 'openai' | 'plain';

export interface OpenAiChatOptions {
  /** Up to and with `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Many servers want none. Blotted out of what a failure quotes. */
  readonly apiKey?: string | undefined;
  /** What failures name as the thing to change: flags of the command line (default), or fields of a rollout's body. */
  readonly settingsAre?: 'flags' | 'fields' | undefined;
  readonly server: ServerKind;
  /** Default: the server's own. */
  readonly audioForm?: 'audio_url' | 'input_audio' | undefined;
  /** Read the reply as a stream; some hosted models give nothing else. Default false: streams have lost pieces of tool calls. */
  readonly stream?: boolean | undefined;
  /** Can the server hold replies to a JSON Schema? Default true, except for `plain`. */
  readonly takesFormat?: boolean | undefined;
  /** Send the scope as `cache_salt`, so that no two episodes share a prefix cache (vLLM). Default false. */
  readonly saltCache?: boolean | undefined;
  /** More fields of every request, as they are. */
  readonly extraBody?: Readonly<Record<string, JsonValue>> | undefined;
  readonly clock: Clock;
  /** Spreads retries, so that a crowd turned away does not come back as one. */
  readonly random: Random;
  /** Shared by all clients of one server. Default: no limit. */
  readonly gate?: Gate | undefined;
  /** For one try. Default 120 s. */
  readonly timeoutMs?: number | undefined;
  /** Further tries after a failure that may pass. Default 4. */
  readonly retries?: number | undefined;
  /** Before the first retry, doubled each time. Default 500 ms. */
  readonly retryDelayMs?: number | undefined;
}
