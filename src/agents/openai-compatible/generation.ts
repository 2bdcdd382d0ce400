import type { ChatAudio, ChatReply } from '../../models/index.js';
import { audioTokens } from './customer-clip.js';

/** One reply as a trainer needs it. Ids are the server's own: nothing here was tokenised again. */
export interface Generation {
  /** Its first action, counted from 1 as the record counts; of a discarded reply the next one. */
  readonly turn: number;
  readonly finish: ChatReply['finish'];
  readonly usage: ChatReply['usage'];
  /**
   * The prompt's ids are the first `promptShared` ids of the generation before (its prompt, then its completion), then
   * `promptRest`. Audio placeholders are expanded: never send these ids back together with the clips.
   */
  readonly promptShared: number | null;
  readonly promptRest: number[] | null;
  readonly ids: number[] | null;
  readonly logprobs: number[] | null;
  /** The clips in the prompt, in order; their WAV files are 16 kHz mono. */
  readonly clips: {
    readonly sha256: string;
    readonly durationMs: number;
    /** Null: the server does not tell, and nobody knows. */
    readonly tokens: number | null;
  }[];
  /** What does not fit together, one line each; a trainer should leave such a reply out. */
  readonly faults: string[];
  /** True when nothing of the reply was used (it could not be read, or a live judge broke in) and the model was asked again. */
  readonly discarded: boolean;
}

export interface GenerationRules {
  readonly audioTokensPerSecond: number;
  /** The id that ends a message, e.g. 151645; null: not known. */
  readonly endToken: number | null;
  /** The id of one audio token, e.g. 151646; null: not known. */
  readonly audioToken: number | null;
}

function sharedStart(before: readonly number[], now: readonly number[]): number {
  let length = 0;
  while (length < before.length && length < now.length && before[length] === now[length]) length += 1;
  return length;
}

function checkLengths(reply: ChatReply, clipTokens: number, rules: GenerationRules): string[] {
  const { usage, tokens, finish } = reply;
  if (tokens === undefined) return [];
  const { prompt, completion, logprobs } = tokens;
  const faults: string[] = [];
  if (prompt !== null && usage !== null && prompt.length !== usage.prompt)
    faults.push(`${prompt.length} prompt ids, but the server counted ${usage.prompt}`);
  if (completion !== null && usage !== null && completion.length !== usage.completion)
    faults.push(`${completion.length} completion ids, but the server counted ${usage.completion}`);
  if (completion !== null && logprobs !== null && completion.length !== logprobs.length)
    faults.push(`${completion.length} completion ids, but ${logprobs.length} log-probabilities`);
  const ended = finish === 'stop' || finish === 'tools';
  if (completion !== null && ended && rules.endToken !== null && completion.at(-1) !== rules.endToken)
    faults.push(`the last id is ${completion.at(-1)}, not ${rules.endToken}, the end of a message`);
  if (prompt !== null && rules.audioToken !== null) {
    const found = prompt.filter((id) => id === rules.audioToken).length;
    if (found !== clipTokens)
      faults.push(`${found} audio ids in the prompt; the clips come to ${clipTokens}`);
  }
  return faults;
}

/** Keeps an episode's replies: prompts as what is new in them, since each nearly repeats the one before. */
export class GenerationLog {
  readonly #rules: GenerationRules;
  #before: readonly number[] = [];

  constructor(rules: GenerationRules) {
    this.#rules = rules;
  }

  take(
    reply: ChatReply,
    { turn, clips, discarded }: Pick<Generation, 'turn' | 'discarded'> & { clips: readonly ChatAudio[] },
  ): Generation {
    const { finish, usage, tokens } = reply;
    const heard = clips.map(({ sha256, durationMs }) => ({
      ...{ sha256, durationMs, tokens: audioTokens(durationMs, this.#rules.audioTokensPerSecond) },
    }));
    const prompt = tokens?.prompt ?? null;
    const shared = prompt === null ? null : sharedStart(this.#before, prompt);
    if (prompt !== null) this.#before = [...prompt, ...(tokens?.completion ?? [])];
    return {
      ...{ turn, finish, usage, promptShared: shared },
      promptRest: prompt === null || shared === null ? null : prompt.slice(shared),
      ids: tokens?.completion ?? null,
      logprobs: tokens?.logprobs ?? null,
      clips: heard,
      faults: checkLengths(
        reply,
        heard.reduce((sum, clip) => sum + clip.tokens, 0),
        this.#rules,
      ),
      discarded,
    };
  }
}
