import type { EpisodeClient, EpisodeEndEvent, Reasons, WantedCall } from '../episode-client.js';
import { MessageRefusedError } from '../errors.js';

/** What came of the calls of one reply. */
export interface MadeCalls {
  /** What the model reads, one for each call. */
  readonly contents: readonly string[];
  /** Set when the episode is over. */
  readonly end: EpisodeEndEvent | null;
  /** Calls that were made, each a turn. */
  readonly made: number;
  /** How often a live judge broke in. */
  readonly interventions: number;
}

const ENDED = 'Error: the call has ended';
const notMade = (objection: string): string =>
  `Error: the call was not made, for a judge looked at it first: ${objection}`;

const nothingOf = (content: string, more: Partial<MadeCalls> = {}): MadeCalls => ({
  ...{ contents: [content], end: null, made: 0, interventions: 0, ...more },
});

async function makeOne(
  client: EpisodeClient,
  { name, arguments: args }: WantedCall,
  why: Reasons,
): Promise<MadeCalls> {
  try {
    const step = await client.call(name, args, why);
    if (step.kind === 'intervention') return nothingOf(notMade(step.message), { interventions: 1 });
    return step.kind === 'result'
      ? nothingOf(step.content, { made: 1 })
      : nothingOf(ENDED, { made: 1, end: step.end });
  } catch (error) {
    if (!(error instanceof MessageRefusedError)) throw error;
    return nothingOf(`Error: ${error.message}`);
  }
}

/** Null: the sandbox did not take the message, whoever of the calls is to blame. */
async function makeBatch(
  client: EpisodeClient,
  batch: readonly WantedCall[],
  why: Reasons,
): Promise<MadeCalls | null> {
  try {
    const { results, end, intervention } = await client.callAll(batch, why);
    const made = results.filter(({ status }) => status !== 'cancelled').length;
    // Those before the one that a judge stopped have their results.
    const rest = intervention === null ? ENDED : notMade(intervention.message);
    const contents = batch.map((_, place) => results[place]?.content ?? rest);
    return { contents, end, made, interventions: intervention === null ? 0 : 1 };
  } catch (error) {
    if (!(error instanceof MessageRefusedError)) throw error;
    return null;
  }
}

/** Calls of one reply go as one message, as far as the sandbox takes so many; a refused batch is made call by call. */
export async function makeCalls(
  client: EpisodeClient,
  calls: readonly WantedCall[],
  why: Reasons = {},
): Promise<MadeCalls> {
  const atOnce = Math.max(1, client.hello.limits.maxCallsPerMessage);
  const contents: string[] = [];
  let [made, interventions] = [0, 0];
  let end: EpisodeEndEvent | null = client.end;
  const add = (more: MadeCalls): void => {
    contents.push(...more.contents);
    made += more.made;
    interventions += more.interventions;
    end = more.end;
  };
  while (contents.length < calls.length && end === null) {
    const batch = calls.slice(contents.length, contents.length + atOnce);
    const whole = batch.length === 1 ? null : await makeBatch(client, batch, why);
    if (whole !== null) add(whole);
    else
      for (const call of batch)
        add(end === null ? await makeOne(client, call, why) : nothingOf(ENDED, { end }));
  }
  while (contents.length < calls.length) contents.push(ENDED);
  return { contents, end, made, interventions };
}
