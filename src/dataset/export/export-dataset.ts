import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson, describeError, sha256Hex } from '../../shared/index.js';
import { datasetCard } from '../card/card.js';
import { DatasetChoiceError, DatasetFolderError, EvaluationTaskError } from '../errors.js';
import type { DatasetFormat } from '../formats/format.js';
import { createPrivacyScan, type PrivateText } from '../privacy/scan.js';
import { createRowScan } from '../privacy/scan-row.js';
import { ROW_VERSION } from '../rows/row.js';
import type { DatasetSource } from '../source/dataset-source.js';
import type { SourceEntry } from '../source/entry.js';
import { type FilterOptions, filterEntries } from '../source/filters.js';
import { createAudioStore } from './audio-store.js';
import type { ClipCoder } from './clip-coder.js';
import { type Counts, openState } from './export-state.js';
import { buildManifest, type DatasetManifest } from './manifest.js';
import { planShards, type ShardLimits, type ShardPlan } from './shard-plan.js';
import { pairShardKey, shardKey, type WriteContext, writePairShard, writeShard } from './write-shard.js';

export interface ExportOptions {
  readonly dir: string;
  readonly formats: readonly DatasetFormat[];
  readonly purpose: 'train' | 'eval';
  readonly filters: FilterOptions;
  readonly limits: ShardLimits;
  /** Put before the paths of clips in formats that name files, e.g. "/data/retail/". */
  readonly audioPrefix: string;
  /** What clips become: see `openClipCoder`. */
  readonly coder: ClipCoder;
  readonly encode: WriteContext['encode'];
  /** What decides tokens, e.g. the tokenizer's hash and the limits; it stands in the manifest. */
  readonly tokenSettings: Readonly<Record<string, unknown>> | null;
  readonly voiceLicences: ReadonlyMap<string, string>;
  readonly privateTexts: readonly PrivateText[];
  /** Version of Parlor. */
  readonly parlor: string;
  readonly signal: AbortSignal;
  readonly onRow?: (rows: number, audioBytes: number) => void;
}

const MANIFEST_FILE = 'manifest.json';

function checkPurpose(entries: readonly SourceEntry[], purpose: 'train' | 'eval'): void {
  if (entries.length === 0)
    throw new DatasetChoiceError('no episode is left to write; loosen the filters, or give other runs');
  if (purpose === 'eval') return;
  const tasks = new Set(entries.flatMap(({ isEvaluation, task }) => (isEvaluation ? [task] : [])));
  if (tasks.size === 0) return;
  const some = [...tasks].slice(0, 3).join(', ');
  throw new EvaluationTaskError(
    `${tasks.size} tasks are evaluation tasks (${some}${tasks.size > 3 ? ', …' : ''}); a model trained on them cannot be measured with them. Make training tasks with "parlor generate", or say --purpose eval`,
    { facts: { tasks: tasks.size } },
  );
}

async function prepareFolder(dir: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true });
    const names = await readdir(dir);
    if (names.includes(MANIFEST_FILE))
      throw new DatasetFolderError(
        'the output folder holds a finished dataset; give another folder, or remove this one',
      );
  } catch (cause) {
    if (cause instanceof DatasetFolderError) throw cause;
    throw new DatasetFolderError(`cannot use the output folder: ${describeError(cause)}`, { cause });
  }
}

function settingsOf(source: DatasetSource, options: ExportOptions): Record<string, unknown> {
  const { filters, limits, audioPrefix, coder, tokenSettings } = options;
  return {
    ...{ filters, limits, speechTurns: source.speechTurns, audioPrefix, audioFormat: coder.format },
    tokens: tokenSettings,
  };
}

/** Equal when the same bytes would be written. */
function planHash(entries: readonly SourceEntry[], settings: object, options: ExportOptions): string {
  const formats = options.formats.map(({ name }) => name);
  const content = entries.map((entry) => [entry.id, entry.contentHash, entry.score, entry.clips]);
  return sha256Hex(
    canonicalJson({ ...{ parlor: options.parlor, rowVersion: ROW_VERSION }, formats, settings, content }),
  );
}

function tasksBySplit({ shards }: ShardPlan): Map<string, Set<string>> {
  const splits = new Map<string, Set<string>>();
  for (const { split, entries } of shards) {
    const hashes = splits.get(split) ?? new Set();
    for (const { entry } of entries) hashes.add(entry.taskHash);
    splits.set(split, hashes);
  }
  return splits;
}

function addAll(into: Counts, counts: Counts): void {
  for (const [name, count] of Object.entries(counts)) into[name] = (into[name] ?? 0) + count;
}

/** Sorted by name, so that the manifest does not tell the order of work. */
function sorted(counts: Counts): Counts {
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Writes a dataset: shard by shard, every format of a shard at once, then manifest and card. What was begun with the same
 * runs and options and then broken off goes on where it stopped and ends with the same bytes.
 * @throws UsageError when nothing is left, evaluation tasks would be trained on, or the folder holds something else
 * @throws PrivateDataError when something secret would be written
 */
export async function exportDataset(source: DatasetSource, options: ExportOptions): Promise<DatasetManifest> {
  const { dir, formats } = options;
  const { kept, steps } = filterEntries(source.entries, options.filters);
  checkPurpose(kept, options.purpose);
  await prepareFolder(dir);
  const settings = settingsOf(source, options);
  const plan = planShards(kept, options.limits);
  const state = await openState(dir, planHash(kept, settings, options));
  const context: WriteContext = {
    ...{
      dir,
      source,
      formats,
      audio: createAudioStore(dir),
      coder: options.coder,
      audioPrefix: options.audioPrefix,
    },
    ...{
      scan: createRowScan(createPrivacyScan(options.privateTexts)),
      encode: options.encode,
      signal: options.signal,
    },
    onRow: options.onRow ?? (() => undefined),
  };
  for (const shard of plan.shards)
    if (!state.done.has(shardKey(shard))) await state.add(await writeShard(context, shard));
  if (formats.some(({ kind }) => kind === 'pairs'))
    for (const shard of plan.pairShards)
      if (!state.done.has(pairShardKey(shard))) await state.add(await writePairShard(context, shard));

  const done = [...state.done.values()];
  const skipped: Counts = {};
  const figures: Counts = {};
  for (const shard of done) {
    addAll(skipped, shard.skipped);
    addAll(figures, shard.figures);
  }
  const files = done.flatMap((shard) => shard.files).sort((a, b) => (a.path < b.path ? -1 : 1));
  const manifest = buildManifest({
    ...{
      parlor: options.parlor,
      purpose: options.purpose,
      formats: formats.map(({ name }) => name),
      settings,
    },
    ...{ source, entries: kept, filters: steps, splitOf: tasksBySplit(plan) },
    ...{ voiceLicences: options.voiceLicences, skipped: sorted(skipped), figures: sorted(figures), files },
  });
  await writeAround(dir, manifest, formats);
  await state.remove();
  return manifest;
}

/** The small files: what trainers are told about the data, the card with its plots, last the manifest. */
async function writeAround(
  dir: string,
  manifest: DatasetManifest,
  formats: readonly DatasetFormat[],
): Promise<void> {
  const texts = new Map<string, string>(datasetCard(manifest, formats));
  for (const { name, companions } of formats) {
    const own = manifest.files.filter(({ format }) => format === name).map(({ path }) => path);
    for (const [file, text] of companions?.(own) ?? []) texts.set(`${name}/${file}`, text);
  }
  for (const [file, text] of texts) {
    const path = join(dir, file);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, text);
  }
  await writeFile(join(dir, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
}
