import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
  type DatasetManifest,
  type ExportOptions,
  exportDataset,
  FORMATS,
  KEEP_ALL,
  NOT_ENCODED,
  openSource,
  WAV_CLIPS,
} from '../../../src/dataset/index.js';
import { sha256Hex } from '../../../src/shared/index.js';

export interface ExportRunOptions extends Partial<Omit<ExportOptions, 'formats'>> {
  readonly formats?: readonly string[];
  readonly scores?: string | null;
  readonly otherScores?: string | null;
  readonly speechTurns?: number;
}

const LICENCES = new Map([['slt-even', 'free']]);

/** Exports one run folder with plain settings, all formats unless told. */
export async function exportRun(
  dir: string,
  out: string,
  options: ExportRunOptions = {},
): Promise<DatasetManifest> {
  const { formats, scores = null, otherScores = null, speechTurns = 1, ...rest } = options;
  const source = await openSource([{ dir, label: 'run', scores, otherScores }], {
    ...{ voiceLicences: LICENCES, speechTurns },
  });
  try {
    return await exportDataset(source, {
      ...{ dir: out, purpose: 'train', filters: KEEP_ALL, audioPrefix: '', privateTexts: [] },
      formats: [...FORMATS.values()].filter(({ name }) => formats?.includes(name) ?? true),
      limits: { rows: 1000, audioBytes: 1e9, validation: 0 },
      coder: WAV_CLIPS,
      ...{ encode: () => NOT_ENCODED, tokenSettings: null },
      ...{ voiceLicences: LICENCES, parlor: '0.0.0', signal: new AbortController().signal },
      ...rest,
    });
  } finally {
    await source.close();
  }
}

/** Content hashes of all files by their path. */
export function hashesIn(dir: string): Record<string, string> {
  const names = readdirSync(dir, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.sort().map((file) => [relative(dir, file), sha256Hex(readFileSync(file))]));
}

/** The values of a JSON-lines file. */
export function readLines(path: string): Record<string, unknown>[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, unknown>);
}
