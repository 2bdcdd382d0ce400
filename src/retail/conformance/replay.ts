import { z } from 'zod';
import { UsageError } from '../../shared/index.js';
import type { RetailDomain } from '../contract.js';
import { describeValue, parseData } from '../parse-data.js';
import { overlayOf } from '../session.js';
import { changesOf, describeDifferences } from './compare.js';

/** One recorded call of the reference implementation. */
const recordedCallSchema = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  ok: z.boolean(),
  result: z.unknown().optional(),
  error: z.string().optional(),
});

/** One recorded episode: calls on a fresh database and every place that differs afterwards. */
const recordedEpisodeSchema = z.object({
  id: z.string(),
  semantics: z.enum(['tau1', 'tau2']),
  calls: z.array(recordedCallSchema),
  changes: z.array(z.object({ path: z.string(), value: z.unknown() })),
});
type RecordedEpisode = z.infer<typeof recordedEpisodeSchema>;

export interface Mismatch {
  readonly episodeId: string;
  /** Index of the call; null where the database at the end differs. */
  readonly callIndex: number | null;
  readonly tool: string | null;
  /** One line each; differences inside values start with a JSON Pointer. */
  readonly differences: readonly string[];
}

export interface ReplayReport {
  readonly episodes: number;
  readonly calls: number;
  readonly mismatches: readonly Mismatch[];
  /** How many episodes had a mismatch. */
  readonly failedEpisodes: number;
}

function replayEpisode(episode: RecordedEpisode, domain: RetailDomain): Mismatch[] {
  const session = domain.openSession();
  const mismatches: Mismatch[] = [];
  for (const [callIndex, call] of episode.calls.entries()) {
    const result = session.call(call.name, call.arguments);
    const at = { episodeId: episode.id, callIndex, tool: call.name };
    if (result.ok !== call.ok) {
      const expected = call.ok ? 'success' : `an error (${call.error ?? 'no text recorded'})`;
      const got = result.ok ? `success: ${result.content.slice(0, 300)}` : `an error (${result.error})`;
      mismatches.push({ ...at, differences: [`expected ${expected}, got ${got}`] });
    } else if (result.ok) {
      const differences = describeDifferences(call.result, result.value);
      if (differences.length > 0) mismatches.push({ ...at, differences });
    }
  }
  const expected = Object.fromEntries(episode.changes.map(({ path, value }) => [path, value]));
  const changes = changesOf(overlayOf(session));
  const got = Object.fromEntries(changes.map(({ path, value }) => [path, value]));
  // A place that was expected to go away and one that did not change both read as null, so presence counts too.
  const differences = [...new Set([...Object.keys(expected), ...Object.keys(got)])].flatMap((path) => {
    if (Object.hasOwn(expected, path) !== Object.hasOwn(got, path))
      return Object.hasOwn(expected, path)
        ? [`${path}: expected ${JSON.stringify(expected[path])}, got no change`]
        : [`${path}: expected no change, got ${JSON.stringify(got[path])}`];
    return describeDifferences(expected[path], got[path]).map((line) =>
      line.startsWith('value:') ? `${path}${line.slice('value'.length)}` : `${path}${line}`,
    );
  });
  if (differences.length > 0)
    mismatches.push({ episodeId: episode.id, callIndex: null, tool: null, differences });
  return mismatches;
}

function parseLine(line: string, where: string): RecordedEpisode {
  let data: unknown;
  try {
    data = JSON.parse(line);
  } catch (cause) {
    throw new UsageError('invalid-data', `${where}: expected one JSON object; got ${describeValue(line)}`, {
      cause,
    });
  }
  return parseData(recordedEpisodeSchema, data, where);
}

/**
 * Replays recorded episodes, one JSON object a line (empty lines are skipped), each on a fresh session.
 * @param domains the domain for each `semantics` that occurs.
 * @param file what to call the lines in an error.
 * @throws UsageError `invalid-data` for a line that is no episode, `missing-domain` where a domain is needed and absent.
 */
export function replayConformance(
  lines: Iterable<string>,
  domains: { readonly tau1?: RetailDomain | undefined; readonly tau2?: RetailDomain | undefined },
  file = 'the recording',
): ReplayReport {
  let episodes = 0;
  let calls = 0;
  let place = 0;
  const mismatches: Mismatch[] = [];
  for (const line of lines) {
    place += 1;
    if (line.trim() === '') continue;
    const episode = parseLine(line, `${file}:${place}`);
    const domain = domains[episode.semantics];
    if (domain === undefined)
      throw new UsageError(
        'missing-domain',
        `${file}:${place}: episode "${episode.id}" was recorded on ${episode.semantics}; give that data folder with --${episode.semantics} DIR`,
      );
    episodes += 1;
    calls += episode.calls.length;
    mismatches.push(...replayEpisode(episode, domain));
  }
  const failedEpisodes = new Set(mismatches.map((mismatch) => mismatch.episodeId)).size;
  return { episodes, calls, mismatches, failedEpisodes };
}
