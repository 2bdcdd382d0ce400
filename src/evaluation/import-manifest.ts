import type { EpisodeRecord } from '../episodes/index.js';
import { PROTOCOL_VERSION } from '../protocol/index.js';
import type { RunManifest } from './manifest.js';

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

/**
 * Imported episodes were never planned, so their folder has no `run.json`: what they are is read off their headers, and every
 * task counts with as many trials as the one that has most.
 * @returns null unless all records are imported ones
 */
export function manifestOfImport(records: readonly EpisodeRecord[]): RunManifest | null {
  const headers = records.map((record) => record.header);
  const [first] = headers;
  if (first === undefined || headers.some((header) => header.source !== 'import')) return null;
  const { rules, worldHash, policyHash, toolsHash, imported } = first;
  return {
    type: 'run',
    version: 1,
    parlor: 'import',
    protocol: PROTOCOL_VERSION,
    recordVersion: first.version,
    data: null,
    domain: {
      source: rules,
      label: `${imported?.file ?? 'a file'} (imported)`,
      ...{ rules, worldHash, policyHash, toolsHash },
    },
    split: null,
    tasks: distinct(headers.map((header) => header.task.id)).sort((a, b) =>
      a.localeCompare(b, 'en', { numeric: true }),
    ),
    trials: Math.max(...headers.map((header) => header.trial)) + 1,
    modes: distinct(headers.map((header) => header.mode)),
    seed: 0,
    agent: { name: distinct(headers.map((header) => header.agent)).join(', '), options: {}, labels: false },
    customer: distinct(headers.map((header) => header.customer)).join(', '),
    speech: null,
    rule: records.find((record) => record.outcome !== null)?.outcome?.rule ?? 'tau2',
    limits: first.limits,
    groundTruthFaults: [],
  };
}
