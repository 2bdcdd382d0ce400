import type { ClipFormat } from '../export/clip-coder.js';
import type { Column } from '../parquet/column.js';
import type { AudioClip, DatasetRow } from '../rows/row.js';
import type { TokenBlock } from '../tokens/token-block.js';
import type { PreferencePair } from './pairs.js';

/** What a format may use beside the row. */
export interface FormatContext {
  /** Path of a clip from the dataset's folder. */
  audioPath(clip: Pick<AudioClip, 'sha256'>): string;
  /** The clip's file. Only for formats that embed sound. */
  audioBytes(clip: Pick<AudioClip, 'sha256'>): Uint8Array;
  /** What clips are, and what their names end with. */
  readonly audioFormat: ClipFormat;
  /** Token ids, masks and per-token numbers; null: the rows have none. */
  readonly tokens: TokenBlock | null;
  /** Place of the row in the dataset, and of the split it stands in. */
  readonly index: number;
  readonly split: string;
  /** No earlier row begins with the same words: same task, mode and customer. */
  readonly isFirstOfPrompt: boolean;
}

/** Not every row can be said in every format; why not is counted. */
export type Converted<T> = { readonly values: readonly T[] } | { readonly skipped: string };

interface FormatBase {
  /** As `--format` takes it, and the name of its folder. */
  readonly name: string;
  /** One line for people: who loads it. */
  readonly summary: string;
  /** `embedded`: clips stand in its files; `files`: it names files in `audio/`; `none`: text only. */
  readonly audio: 'embedded' | 'files' | 'none';
  /** Further small files, e.g. what a trainer is told about the data, by name. */
  readonly companions?: (files: readonly string[]) => ReadonlyMap<string, string>;
}

type Convert<Item, T> = (item: Item, context: FormatContext) => Converted<T>;

export interface JsonlFormat extends FormatBase {
  readonly kind: 'jsonl';
  readonly convert: Convert<DatasetRow, object>;
}

export interface ParquetFormat extends FormatBase {
  readonly kind: 'parquet';
  readonly columns: readonly Column[];
  readonly metadata?: Readonly<Record<string, string>>;
  readonly convert: Convert<DatasetRow, Readonly<Record<string, unknown>>>;
}

export interface TarEntry {
  readonly name: string;
  readonly data: Uint8Array;
}

export interface TarFormat extends FormatBase {
  readonly kind: 'tar';
  readonly convert: Convert<DatasetRow, TarEntry>;
}

export interface PairsFormat extends FormatBase {
  readonly kind: 'pairs';
  readonly convert: Convert<PreferencePair, object>;
}

export type DatasetFormat = JsonlFormat | ParquetFormat | TarFormat | PairsFormat;
