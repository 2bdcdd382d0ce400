import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeError, sha256Hex } from '../../shared/index.js';
import { ImportError, RunFolderError } from '../errors.js';
import { openRunFolder } from '../run-folder.js';
import type { ImportFault, ImportReading } from './import-format.js';

/** `import.json` beside the episodes: where they come from. */
export interface ImportSummary {
  readonly type: 'import';
  readonly version: 1;
  readonly format: string;
  readonly file: string;
  readonly episodes: number;
  readonly skipped: readonly ImportFault[];
  /** The file without its rows, as it was. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Writes the episodes as records into a run folder that has none yet: `episodes/`, `policy.md` (further policies as
 * `policy-<hash>.md`) and `import.json`.
 * @throws ImportError when there are episodes already, for importing twice would count everything twice
 */
export async function writeImport(reading: ImportReading, dir: string, file: string): Promise<ImportSummary> {
  const there = await readdir(join(dir, 'episodes')).catch(() => []);
  if (there.length > 0)
    throw new ImportError(`${dir} holds ${there.length} episodes already; import into a folder of its own`);
  const folder = await openRunFolder(dir);
  for (const { episode, events } of reading.episodes) {
    const sink = folder.open(episode);
    for (const event of events)
      sink.append(event.type === 'episode' ? { ...event, episode: sink.episode } : event);
    await sink.finish();
  }
  const summary: ImportSummary = {
    type: 'import',
    version: 1,
    format: reading.format,
    file,
    episodes: reading.episodes.length,
    skipped: reading.faults,
    fields: reading.fields,
  };
  try {
    await mkdir(dir, { recursive: true });
    for (const [index, policy] of reading.policies.entries()) {
      const name = index === 0 ? 'policy.md' : `policy-${sha256Hex(policy).slice(0, 8)}.md`;
      await writeFile(join(dir, name), policy);
    }
    await writeFile(join(dir, 'import.json'), `${JSON.stringify(summary, null, 2)}\n`);
  } catch (cause) {
    throw new RunFolderError(`cannot write into ${dir}: ${describeError(cause)}; give another folder`, {
      cause,
    });
  }
  return summary;
}
