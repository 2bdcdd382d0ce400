/** Where something stands in a row's token ids: `start` counts from the first prompt token. */
export interface TokenSpan {
  readonly start: number;
  readonly tokens: number;
}

/** The tokens of a row. Lists about the response are as long as `responseIds`. */
export interface TokenBlock {
  /** `engine`: the ids that the model sampled; `tokenizer`: encoded afterwards, which may differ from what was sampled. */
  readonly origin: 'engine' | 'tokenizer';
  /** Everything before the agent's first token. */
  readonly promptIds: readonly number[];
  /** The agent's tokens and, between them, what it was given. */
  readonly responseIds: readonly number[];
  /** 1: written by the agent. */
  readonly responseMask: readonly (0 | 1)[];
  /** Of the sampled tokens, 0 elsewhere; null: the engine did not tell. */
  readonly logProbs: readonly number[] | null;
  /** Per turn of the row, its agent tokens. */
  readonly turnSpans: readonly TokenSpan[];
  /** Per clip in order of the messages, its placeholders. */
  readonly audioSpans: readonly (TokenSpan & { readonly sha256: string })[];
  /** Each turn's reward on its last agent token, the outcome's on the last of all; null: not scored. */
  readonly tokenRewards: readonly number[] | null;
  /** The turn's advantage on each of its agent tokens; null: none was computed. */
  readonly tokenAdvantages: readonly number[] | null;
  /** Turns were cut off to fit. */
  readonly isTruncated: boolean;
}
