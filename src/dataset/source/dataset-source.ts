import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type RestoredGeneration, readGenerations, runPaths } from '../../episodes/index.js';
import type { ScoreHeader } from '../../scoring/index.js';
import { describeError } from '../../shared/index.js';
import { DatasetSourceError } from '../errors.js';
import { buildRow } from '../rows/build-row.js';
import type { DatasetRow } from '../rows/row.js';
import { ClipStore } from './clip-store.js';
import { entryOf, type SourceEntry } from './entry.js';
import { readRecord } from './read-record.js';
import { type RunMaterial, readMaterial } from './run-material.js';
import { openScores, type ScoreIndex } from './score-index.js';

/** One run folder, and which of its score files counts. */
export interface RunInput {
  readonly dir: string;
  /** How messages call it. */
  readonly label: string;
  /** Null: without rewards. */
  readonly scores: string | null;
  /** Only these tasks of the run take part; absent: all. */
  readonly tasks?: ReadonlySet<string>;
  /** Another judge's scores of the same run, for the filter by agreement. */
  readonly otherScores: string | null;
}

export interface SourceOptions {
  readonly voiceLicences: ReadonlyMap<string, string>;
  /** Share of the customer's turns in speech episodes that stay sound. */
  readonly speechTurns: number;
  readonly onRead?: (read: number) => void;
}

export interface RunFacts {
  readonly scorer: ScoreHeader['scorer'] | null;
  readonly episodes: number;
}

/** Finished runs as a source of rows. Reads a record when it is asked for it; in memory stays one entry per episode. */
export interface DatasetSource {
  readonly runs: readonly RunFacts[];
  /** Groups together, rollouts in order of trial. */
  readonly entries: readonly SourceEntry[];
  /** Files and lines that could not be read. */
  readonly faults: readonly string[];
  readonly speechTurns: number;
  row(entry: SourceEntry): Promise<DatasetRow>;
  /** What the model behind the agent sampled; null: the run does not tell. */
  generations(entry: SourceEntry): Promise<RestoredGeneration[] | null>;
  /** The WAV file of a clip, checked against its name. */
  clip(entry: SourceEntry, sha256: string): Buffer;
  close(): Promise<void>;
}

interface OpenRun {
  readonly input: RunInput;
  readonly material: RunMaterial;
  readonly scores: ScoreIndex | null;
  readonly other: ScoreIndex | null;
  /** Whether any of its agents told what it sampled. */
  readonly hasGenerations: boolean;
}

async function openRun(input: RunInput): Promise<OpenRun> {
  const material = await readMaterial(input.dir, input.label);
  const scores = input.scores === null ? null : await openScores(input.scores, basename(input.scores));
  const other =
    input.otherScores === null ? null : await openScores(input.otherScores, basename(input.otherScores));
  const hasGenerations = existsSync(join(input.dir, 'generations'));
  return { input, material, scores, other, hasGenerations };
}

async function episodesOf({ dir, label }: RunInput): Promise<string[]> {
  try {
    const names = await readdir(runPaths(dir).episodes);
    return names.filter((name) => name.endsWith('.jsonl')).map((name) => basename(name, '.jsonl'));
  } catch (cause) {
    throw new DatasetSourceError(
      `no run in ${label}: ${describeError(cause)}; give a folder that "parlor run" or "parlor import" made`,
      { cause },
    );
  }
}

const byName = new Intl.Collator('en', { numeric: true });

/** A curriculum step by step, so that whoever reads the rows in order trains on it in order; else run by run. */
function inOrder(a: SourceEntry, b: SourceEntry): number {
  return (
    (a.curriculum?.step ?? 0) - (b.curriculum?.step ?? 0) ||
    a.run - b.run ||
    byName.compare(a.task, b.task) ||
    (a.mode < b.mode ? -1 : a.mode > b.mode ? 1 : 0) ||
    a.trial - b.trial ||
    byName.compare(a.episode, b.episode)
  );
}

/** @throws DatasetSourceError when a folder is no run; broken records are named in `faults` and harm no others */
export async function openSource(
  inputs: readonly RunInput[],
  options: SourceOptions,
): Promise<DatasetSource> {
  const runs: OpenRun[] = [];
  const clips = new ClipStore();
  const close = async (): Promise<void> => {
    for (const { scores, other } of runs) for (const index of [scores, other]) await index?.close();
  };
  const read = (run: OpenRun, episode: string) => readRecord(runPaths(run.input.dir).episode(episode));
  try {
    for (const input of inputs) runs.push(await openRun(input));
    const entries: SourceEntry[] = [];
    const faults: string[] = [];
    for (const [place, run] of runs.entries())
      for (const episode of await episodesOf(run.input)) {
        await letOthersRun();
        const { record, faults: found } = read(run, episode);
        faults.push(
          ...found.map(({ line, problem }) => `${episode}${line === null ? '' : `:${line}`}: ${problem}`),
        );
        if (record === null || record.header.episode !== episode) continue;
        if (run.input.tasks?.has(record.header.task.id) === false) continue;
        const own = (await run.scores?.lineOf(episode)) ?? null;
        const entry = entryOf(record, place, { own, other: (await run.other?.lineOf(episode)) ?? null });
        entries.push(inputs.length === 1 ? entry : { ...entry, id: `${place + 1}/${episode}` });
        options.onRead?.(entries.length);
      }
    return {
      runs: runs.map(({ scores }, place) => ({
        scorer: scores?.header.scorer ?? null,
        episodes: entries.filter((entry) => entry.run === place).length,
      })),
      entries: entries.sort(inOrder),
      faults,
      speechTurns: options.speechTurns,
      close,
      row: async (entry) => {
        const run = runs[entry.run] as OpenRun;
        await letOthersRun();
        const { record } = read(run, entry.episode);
        if (record === null) throw new DatasetSourceError(`${entry.episode} cannot be read any more`);
        return buildRow(record, {
          ...{ id: entry.id, voiceLicences: options.voiceLicences, speechTurns: options.speechTurns },
          ...{ policy: run.material.policyOf(record.header), tools: run.material.toolsOf(record.header) },
          score: (await run.scores?.lineOf(entry.episode)) ?? null,
        });
      },
      generations: async (entry) => {
        const { input, hasGenerations } = runs[entry.run] as OpenRun;
        if (!hasGenerations) return null;
        try {
          return await readGenerations(input.dir, entry.episode);
        } catch (cause) {
          throw new DatasetSourceError(
            `the generations of ${entry.episode} cannot be read: ${describeError(cause).slice(0, 200)}`,
            { cause },
          );
        }
      },
      clip: (entry, sha256) => {
        const { dir, label } = (runs[entry.run] as OpenRun).input;
        return clips.read(dir, label, sha256);
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
