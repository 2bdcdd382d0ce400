import { z } from 'zod';

const ms = z.number().min(0);

/** One line of `timings.jsonl`: where the time of one episode went. It stands apart so that records stay the same bytes. */
export const episodeTimingSchema = z.object({
  episode: z.string(),
  /** From the start message to the outcome. */
  durationMs: ms,
  /** Waiting for the agent. */
  agentMs: ms,
  /** Waiting for the customer's words. */
  customerMs: ms,
  /** Waiting for the voice. */
  speechMs: ms,
  /** Waiting for tools. */
  toolMs: ms,
  /** Sending the customer's turns, as quickly as the agent reads them. */
  sendMs: ms,
  /** Length of all that the customer said. */
  audioMs: ms,
});
export type EpisodeTiming = z.infer<typeof episodeTimingSchema>;
