import type { ChatReply } from '../../../models/index.js';

/** What a judge may spend in all; what is not given is not limited. */
export interface BudgetLimits {
  readonly requests?: number | undefined;
  /** Prompt and completion together, as the server counts them; replies without a count are free. */
  readonly tokens?: number | undefined;
}

/** Counts what was spent. One budget may be shared by several judges. */
export interface JudgeBudget {
  readonly requests: number;
  readonly tokens: number;
  /** Takes one request out of the budget; false when it is used up. */
  take(): boolean;
  spend(reply: ChatReply): void;
}

export function createBudget(limits: BudgetLimits = {}): JudgeBudget {
  let requests = 0;
  let tokens = 0;
  return {
    get requests() {
      return requests;
    },
    get tokens() {
      return tokens;
    },
    take: () => {
      if (requests >= (limits.requests ?? Number.POSITIVE_INFINITY)) return false;
      if (tokens >= (limits.tokens ?? Number.POSITIVE_INFINITY)) return false;
      requests += 1;
      return true;
    },
    spend: ({ usage }) => {
      tokens += usage === null ? 0 : usage.prompt + usage.completion;
    },
  };
}
