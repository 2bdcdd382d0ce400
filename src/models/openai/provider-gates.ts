import pLimit from 'p-limit';
import type { Gate } from './options.js';

/** One gate per server, whoever asks: agent, customer and judge of one provider share its places. */
export function createProviderGates(maxRequests: number): (baseUrl: string) => Gate {
  const gates = new Map<string, Gate>();
  return (baseUrl) => {
    const { origin } = new URL(baseUrl);
    const known = gates.get(origin);
    if (known !== undefined) return known;
    const gate: Gate = pLimit(maxRequests);
    gates.set(origin, gate);
    return gate;
  };
}
