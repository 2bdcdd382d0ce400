import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CLAIM_FILE,
  openRunFolder,
  type RecordFault,
  type RunFolder,
  readRun,
  runPaths,
} from '../episodes/index.js';
import { fillSlots } from './episode-slots.js';
import { ResumeMismatchError, RunManifestError } from './errors.js';
import { manifestOfImport } from './import-manifest.js';
import { type EpisodeLabel, parseLabels } from './labels.js';
import { compareManifests, type RunManifest, runManifestSchema } from './manifest.js';
import type { RunData } from './metrics/run-summary.js';
import type { PlannedEpisode } from './plan.js';

function labelsPath(dir: string): string {
  return join(dir, 'labels.jsonl');
}

/** Where a run's report lies. */
export function reportPath(dir: string): string {
  return join(dir, 'report.html');
}

/** A folder that is ready to be run in, with what is still to do. */
export interface OpenRun {
  readonly folder: RunFolder;
  readonly remaining: readonly PlannedEpisode[];
  /** Episodes that an earlier start has finished. */
  readonly finished: number;
}

/**
 * Makes the folder of a new run.
 * @throws RunManifestError when something is in it already; RunFolderError when the path cannot be a folder.
 */
export async function startRun(
  dir: string,
  manifest: RunManifest,
  plan: readonly PlannedEpisode[],
): Promise<OpenRun> {
  const content = (await readdir(dir).catch((): string[] => [])).filter((name) => name !== CLAIM_FILE);
  if (content.includes('run.json'))
    throw new RunManifestError(
      `"${dir}" holds a run already; go on with it by --resume "${dir}", or give another --out`,
    );
  if (content.length > 0)
    throw new RunManifestError(`"${dir}" is not empty and holds no run; give --out a new or empty folder`);
  const folder = await openRunFolder(dir);
  await folder.writeWhole(folder.paths.plan, `${JSON.stringify(manifest, null, 2)}\n`);
  return { folder, remaining: plan, finished: 0 };
}

/**
 * Goes on with a run: everything without an outcome is still to do, and so is what only the platform ended. Where the agent
 * labels its faults an episode without a label counts as unfinished too: the process died between the two, and such agents are
 * deterministic.
 * @throws ResumeMismatchError when `manifest` is not the one the run was started with.
 */
export async function resumeRun(dir: string, manifest: RunManifest): Promise<OpenRun> {
  const run = await loadRun(dir);
  const differences = compareManifests(run.manifest, manifest);
  if (differences.length > 0) throw new ResumeMismatchError(differences);
  const folder = await openRunFolder(dir);
  await writeLabels(folder, run.labels); // drops a torn last line, to which the next would be glued
  const labelled = new Set(run.labels.map((label) => label.episode));
  const slots = fillSlots(run.manifest, run.records);
  const remaining = slots
    .filter(
      ({ state, record }) =>
        state !== 'finished' ||
        (manifest.agent.labels && record !== null && !labelled.has(record.header.episode)),
    )
    .map((slot) => slot.plan);
  return { folder, remaining, finished: slots.length - remaining.length };
}

/** @throws RunManifestError when `run.json` is missing or not one of this version. */
export async function readManifest(dir: string): Promise<RunManifest> {
  let text: string;
  try {
    text = await readFile(runPaths(dir).plan, 'utf8');
  } catch (cause) {
    throw new RunManifestError(
      `no run in "${dir}": it has no run.json; give a folder that "parlor run" made`,
      {
        cause,
      },
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new RunManifestError(`"${dir}" holds a run.json that is not JSON; begin a new run`, { cause });
  }
  const parsed = runManifestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new RunManifestError(
    `"${dir}" holds a run.json that this version cannot read: ${issue?.path.join('.') || 'top level'}: ${issue?.message ?? 'unknown fault'}`,
    { cause: parsed.error },
  );
}

/** Reads a whole run back, or imported episodes; what cannot be used of the records stands in `faults`. */
export async function loadRun(dir: string): Promise<RunData & { readonly faults: readonly RecordFault[] }> {
  const content = await readdir(dir).catch((): string[] => []);
  const isImport = content.includes('import.json') && !content.includes('run.json');
  const planned = isImport ? null : await readManifest(dir);
  const { records, faults } = await readRun(dir);
  const manifest = planned ?? manifestOfImport(records);
  if (manifest === null)
    throw new RunManifestError(`"${dir}" holds an import without a usable episode; import again`);
  return { manifest, records, labels: await readLabels(dir), faults };
}

export async function readLabels(dir: string): Promise<EpisodeLabel[]> {
  try {
    return parseLabels(await readFile(labelsPath(dir), 'utf8'));
  } catch {
    return []; // Only reference agents leave labels.
  }
}

export async function appendLabel(dir: string, label: EpisodeLabel): Promise<void> {
  await appendFile(labelsPath(dir), `${JSON.stringify(label)}\n`);
}

/** Rewrites the labels in the order of their episodes, so that the file does not tell in what order they ended. */
export async function writeLabels(folder: RunFolder, labels: readonly EpisodeLabel[]): Promise<void> {
  if (labels.length === 0) return;
  const sorted = [...labels].sort((a, b) => (a.episode < b.episode ? -1 : a.episode > b.episode ? 1 : 0));
  await folder.writeWhole(
    labelsPath(folder.dir),
    sorted.map((label) => `${JSON.stringify(label)}\n`).join(''),
  );
}
