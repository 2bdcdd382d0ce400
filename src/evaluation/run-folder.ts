import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RunFolderError } from './errors.js';
import { type EpisodeLabel, parseLabels } from './labels.js';
import { type RunManifest, runManifestSchema } from './manifest.js';

const MANIFEST = 'run.json';
const LABELS = 'labels.jsonl';
const REPORT = 'report.html';

/** Where a run's report lies. */
export function reportPath(folder: string): string {
  return join(folder, REPORT);
}

export function isRunFolder(folder: string): boolean {
  return existsSync(join(folder, MANIFEST));
}

/** Writes beside the target and renames, so that a reader (or a crash) never sees half a file. */
export async function writeWhole(path: string, content: string): Promise<void> {
  const draft = `${path}.part`;
  await writeFile(draft, content);
  await rename(draft, path);
}

/** Makes the folder and its `run.json`. @throws RunFolderError when the path cannot be a folder. */
export async function createRunFolder(folder: string, manifest: RunManifest): Promise<void> {
  try {
    await mkdir(join(folder, 'episodes'), { recursive: true });
    await mkdir(join(folder, 'audio'), { recursive: true });
    await writeWhole(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  } catch (cause) {
    const why = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
    throw new RunFolderError(
      `cannot make the run folder "${folder}"${why}; give a path that can be written`,
      {
        cause,
      },
    );
  }
}

/** @throws RunFolderError when it is missing or not a manifest of this version. */
export async function readManifest(folder: string): Promise<RunManifest> {
  let text: string;
  try {
    text = await readFile(join(folder, MANIFEST), 'utf8');
  } catch (cause) {
    throw new RunFolderError(`no run in "${folder}": it has no ${MANIFEST}; give the folder of a run`, {
      cause,
    });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new RunFolderError(`"${folder}" holds a ${MANIFEST} that is not JSON; start a new run with --out`, {
      cause,
    });
  }
  const parsed = runManifestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new RunFolderError(
    `"${folder}" holds a ${MANIFEST} this version cannot read: ${issue?.path.join('.') || 'top level'}: ${issue?.message ?? 'unknown fault'}`,
    { cause: parsed.error },
  );
}

export async function readLabels(folder: string): Promise<EpisodeLabel[]> {
  try {
    return parseLabels(await readFile(join(folder, LABELS), 'utf8'));
  } catch {
    return []; // Only reference agents leave labels.
  }
}

export async function appendLabel(folder: string, label: EpisodeLabel): Promise<void> {
  await appendFile(join(folder, LABELS), `${JSON.stringify(label)}\n`);
}

/** Rewrites the labels in the given order, one per episode, so that the file does not tell in what order episodes ended. */
export async function writeLabels(folder: string, labels: readonly EpisodeLabel[]): Promise<void> {
  await writeWhole(join(folder, LABELS), labels.map((label) => `${JSON.stringify(label)}\n`).join(''));
}
