import type { DatasetFormat, FormatContext } from '../formats/format.js';
import type { DatasetRow } from '../rows/row.js';
import type { DatasetSource } from '../source/dataset-source.js';
import type { SourceEntry } from '../source/entry.js';
import type { EncodeRow } from '../tokens/token-encoder.js';
import { type AudioStore, clipPath } from './audio-store.js';
import type { ClipCoder, CodedClip } from './clip-coder.js';
import type { Counts, ShardDone } from './export-state.js';
import { audioBytesOf, type PairShard, type PlacedEntry, type Shard } from './shard-plan.js';
import { openShardFile, type ShardFile } from './shard-writer.js';

export interface WriteContext {
  readonly dir: string;
  readonly source: DatasetSource;
  readonly formats: readonly DatasetFormat[];
  readonly audio: AudioStore;
  readonly coder: ClipCoder;
  readonly audioPrefix: string;
  /** Throws on what must not be published. */
  readonly scan: (row: DatasetRow) => void;
  readonly encode: EncodeRow;
  readonly signal: AbortSignal;
  readonly onRow: (rows: number, audioBytes: number) => void;
}

/** By the hash of the run's WAV file. */
type Clips = ReadonlyMap<string, CodedClip>;
const NO_CLIPS: Clips = new Map();

async function clipsOf(
  { messages }: DatasetRow,
  entry: SourceEntry,
  { source, coder }: WriteContext,
): Promise<Clips> {
  const clips = new Map<string, CodedClip>();
  for (const message of messages)
    if (message.role === 'user' && message.audio !== null && !clips.has(message.audio.sha256)) {
      const { sha256 } = message.audio;
      clips.set(sha256, await coder.code(sha256, source.clip(entry, sha256)));
    }
  return clips;
}

function contextOf(
  { audioPrefix, coder }: WriteContext,
  rest: Pick<FormatContext, 'tokens' | 'index' | 'split' | 'isFirstOfPrompt'> & { readonly clips: Clips },
): FormatContext {
  const { clips, ...own } = rest;
  const find = (sha256: string): CodedClip => {
    const clip = clips.get(sha256);
    if (clip === undefined) throw new RangeError(`the row has no clip ${sha256}`);
    return clip;
  };
  return {
    ...{ ...own, audioFormat: coder.format },
    audioPath: ({ sha256 }) => `${audioPrefix}${clipPath(find(sha256).sha256, coder.format)}`,
    audioBytes: ({ sha256 }) => find(sha256).bytes,
  };
}

function count(counts: Counts, name: string, by = 1): void {
  counts[name] = (counts[name] ?? 0) + by;
}

interface LoadedRow {
  readonly row: DatasetRow;
  readonly clips: Clips;
  readonly generations: Awaited<ReturnType<DatasetSource['generations']>>;
}

async function loadRow(context: WriteContext, entry: SourceEntry): Promise<LoadedRow> {
  const { source, formats } = context;
  const row = await source.row(entry);
  const needsSound = formats.some(({ audio, kind }) => audio !== 'none' && kind !== 'pairs');
  const clips = needsSound ? await clipsOf(row, entry, context) : NO_CLIPS;
  return { row, clips, generations: await source.generations(entry) };
}

/** Rows in order, each read while the one before is being written. */
async function* readAhead(
  context: WriteContext,
  entries: readonly PlacedEntry[],
): AsyncGenerator<readonly [PlacedEntry, LoadedRow]> {
  const start = (placed: PlacedEntry | undefined): Promise<LoadedRow> | null => {
    const loading = placed === undefined ? null : loadRow(context, placed.entry);
    // Its failure is met when its turn comes, or never, when an earlier row failed.
    loading?.catch(() => undefined);
    return loading;
  };
  let next = start(entries[0]);
  for (const [place, placed] of entries.entries()) {
    const loaded = await next;
    next = start(entries[place + 1]);
    if (loaded !== null) yield [placed, loaded];
  }
}

/** One row into every format. */
function writeRow(
  context: WriteContext,
  [{ index, isFirstOfPrompt }, { row, clips, generations }]: readonly [PlacedEntry, LoadedRow],
  into: { readonly files: readonly ShardFile[]; readonly split: string; readonly figures: Counts },
): void {
  context.scan(row);
  const { tokens, dropped, engineUnusable } = context.encode(row, generations);
  if (engineUnusable !== null) count(into.figures, `engine's ids not used: ${engineUnusable}`);
  if (dropped !== null) {
    count(into.figures, `dropped: ${dropped}`);
    return;
  }
  if (context.formats.some(({ audio }) => audio === 'files'))
    for (const { sha256, bytes } of clips.values())
      context.audio.put(clipPath(sha256, context.coder.format), bytes);
  for (const file of into.files)
    file.add(row, contextOf(context, { clips, tokens, index, isFirstOfPrompt, split: into.split }));
  count(into.figures, 'rows');
  count(into.figures, 'toolless', row.tools.length === 0 ? 1 : 0);
  if (tokens === null) return;
  count(into.figures, `tokens from ${tokens.origin}`);
  count(into.figures, 'prompt tokens', tokens.promptIds.length);
  count(into.figures, 'response tokens', tokens.responseIds.length);
  count(
    into.figures,
    'agent tokens',
    tokens.responseMask.reduce<number>((sum, bit) => sum + bit, 0),
  );
  count(into.figures, 'cut to fit', tokens.isTruncated ? 1 : 0);
}

async function writeFiles(
  context: WriteContext,
  shard: { readonly key: string; readonly split: string; readonly number: number },
  work: {
    readonly formats: readonly DatasetFormat[];
    readonly fill: (files: readonly ShardFile[], figures: Counts) => Promise<void>;
  },
): Promise<ShardDone> {
  const place = { dir: context.dir, split: shard.split, number: shard.number };
  const files: ShardFile[] = [];
  try {
    for (const format of work.formats) files.push(openShardFile(format, place));
    const figures: Counts = {};
    await work.fill(files, figures);
    const skipped: Counts = {};
    return { shard: shard.key, files: files.flatMap((file) => file.close(skipped) ?? []), skipped, figures };
  } finally {
    for (const file of files) file.abandon();
  }
}

export function shardKey({ split, number }: Pick<Shard, 'split' | 'number'>): string {
  return `rows ${split} ${number}`;
}

/** Writes the files of one shard in all formats. A failure leaves only unfinished files, under other names. */
export function writeShard(context: WriteContext, shard: Shard): Promise<ShardDone> {
  const { split, number, entries } = shard;
  return writeFiles(
    context,
    { key: shardKey(shard), split, number },
    {
      formats: context.formats.filter(({ kind }) => kind !== 'pairs'),
      fill: async (files, figures) => {
        for await (const loaded of readAhead(context, entries)) {
          context.signal.throwIfAborted();
          writeRow(context, loaded, { files, split, figures });
          context.onRow(1, audioBytesOf(loaded[0].entry));
        }
      },
    },
  );
}

export function pairShardKey({ split, number }: Pick<PairShard, 'split' | 'number'>): string {
  return `pairs ${split} ${number}`;
}

/** The same for formats that compare two rows. Their sound stands in `audio/`, put there with the rows. */
export function writePairShard(context: WriteContext, shard: PairShard): Promise<ShardDone> {
  const { split, number, pairs } = shard;
  return writeFiles(
    context,
    { key: pairShardKey(shard), split, number },
    {
      formats: context.formats.filter(({ kind }) => kind === 'pairs'),
      fill: async (files, figures) => {
        for (const [place, { better, worse }] of pairs.entries()) {
          context.signal.throwIfAborted();
          const pair = { better: await context.source.row(better), worse: await context.source.row(worse) };
          const index = number * pairs.length + place;
          for (const file of files)
            file.addPair(
              pair,
              contextOf(context, { clips: NO_CLIPS, tokens: null, index, isFirstOfPrompt: true, split }),
            );
          count(figures, 'pairs');
        }
      },
    },
  );
}
