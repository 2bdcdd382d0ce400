import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EpisodeHeader } from '../../episodes/index.js';
import { canonicalJson, describeError, sha256Hex } from '../../shared/index.js';
import { DatasetSourceError } from '../errors.js';
import { type ToolSchema, toolSchemasOf } from '../rows/tool-schema.js';

/** What the agents of a run were given, by the hashes that its records name. */
export interface RunMaterial {
  policyOf(header: EpisodeHeader): string;
  toolsOf(header: EpisodeHeader): readonly ToolSchema[];
}

async function readAll(dir: string, names: readonly string[]): Promise<string[]> {
  return Promise.all(names.map((name) => readFile(join(dir, name), 'utf8')));
}

/** @throws DatasetSourceError when a policy or tool list that a record names is not in the folder */
export async function readMaterial(dir: string, label: string): Promise<RunMaterial> {
  let names: string[];
  try {
    names = (await readdir(dir)).sort();
  } catch (cause) {
    throw new DatasetSourceError(`cannot read ${label}: ${describeError(cause)}`, { cause });
  }
  const policies = await readAll(
    dir,
    names.filter((name) => /^policy.*\.md$/.test(name)),
  );
  const toolFiles = names.filter((name) => /^tools.*\.json$/.test(name));
  const toolTexts = await readAll(dir, toolFiles);
  const policyByHash = new Map(policies.map((text) => [sha256Hex(text), text]));
  const toolsByHash = new Map(
    toolTexts.map((text, place) => {
      const schemas = toolSchemasOf(text, `${label}/${toolFiles[place]}`);
      return [sha256Hex(canonicalJson(JSON.parse(text))), schemas];
    }),
  );
  // An imported run often tells neither; its rows then show none.
  const absent = <T>(header: EpisodeHeader, nothing: T, [what, hash]: readonly [string, string]): T => {
    if (header.imported !== undefined) return nothing;
    throw new DatasetSourceError(
      `${label} holds no ${what} with the hash ${hash.slice(0, 12)} that its records name; a row must show what the agent saw`,
    );
  };
  return {
    policyOf: (header) =>
      policyByHash.get(header.policyHash) ?? absent(header, '', ['policy*.md', header.policyHash]),
    toolsOf: (header) =>
      toolsByHash.get(header.toolsHash) ?? absent(header, [], ['tools*.json', header.toolsHash]),
  };
}
