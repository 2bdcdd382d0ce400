/** How long a customer puts up with an agent that gets nowhere. */
export interface Patience {
  /** One more agent message. `progress`: something moved; `waiting`: the agent only asked to hold on. */
  count(
    agentText: string,
    moved: { readonly progress: boolean; readonly waiting: boolean },
  ): 'fine' | 'annoyed' | 'gone';
}

const LONGEST_CALL = 80;

/** @param limit messages without progress after which the customer hangs up; it complains one before */
export function createPatience(limit: number): Patience {
  let stalled = 0;
  let messages = 0;
  const seen = new Set<string>();
  return {
    count: (agentText, { progress, waiting }) => {
      messages += 1;
      const repeated = seen.has(agentText);
      if (seen.size < LONGEST_CALL) seen.add(agentText);
      if (progress && !repeated) stalled = 0;
      // Asking for a moment is no fault, unless it goes on and on.
      else stalled += waiting && !repeated ? 0.5 : 1;
      if (stalled >= limit || messages >= LONGEST_CALL) return 'gone';
      return stalled >= limit - 1 ? 'annoyed' : 'fine';
    },
  };
}
