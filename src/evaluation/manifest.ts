import { z } from 'zod';
import { conditionsSchema } from '../audio/index.js';
import { modeSchema, turnTakingSchema } from '../protocol/index.js';
import { canonicalJson } from '../shared/index.js';

/**
 * `run.json`: what a run is, version 1. Everything that decides its results, and nothing else: no clock, no host.
 * The plan itself is tasks × trials × modes with seeds from `seed` (see `createPlan`), so it is not spelled out.
 */
const MANIFEST_VERSION = 1;

export const runManifestSchema = z.object({
  type: z.literal('run'),
  version: z.literal(MANIFEST_VERSION),
  /** Version of Parlor that made it. */
  parlor: z.string(),
  protocol: z.string(),
  recordVersion: z.number().int(),
  /** The data folder as it was given on the command line; null for the built-in world. */
  data: z.string().nullable(),
  domain: z.object({
    source: z.enum(['parlor', 'tau1', 'tau2', 'maths']),
    label: z.string(),
    rules: z.enum(['parlor', 'tau1', 'tau2']),
    worldHash: z.string(),
    policyHash: z.string(),
    toolsHash: z.string(),
  }),
  split: z.string().nullable(),
  tasks: z.array(z.string().min(1)).min(1),
  trials: z.number().int().min(1),
  modes: z.array(modeSchema).min(1),
  seed: z.number().int().min(0).max(0xffffffff),
  /** All trials of a task have one seed; absent: each its own. */
  sameCustomer: z.literal(true).optional(),
  agent: z.object({
    name: z.string(),
    /** What the agent was made with, e.g. { faults: 0.15 }. */
    options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    /** True for agents that tell which faults they put in: `labels.jsonl` then has a line for every episode. */
    labels: z.boolean(),
  }),
  /** Name of the customers; of those played by a model it holds the model and the prompt's hash. */
  customer: z.string(),
  /** What they were made with, where it was not the default. */
  customerOptions: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  /** Speech engine and version; null when no mode speaks. */
  speech: z.string().nullable(),
  /** What the line did to the customer's speech; absent: nothing. */
  conditions: conditionsSchema.optional(),
  /** tau2-bench's tasks_voice.json, as given, which has conditions of each task's own. */
  voiceTasks: z.object({ file: z.string(), complexity: z.string(), sha256: z.string() }).optional(),
  /** Folder of voice files, as given; absent: the package's own. */
  voices: z.string().optional(),
  /** How customers took turns in speech; absent: half-duplex. */
  turnTaking: turnTakingSchema.optional(),
  rule: z.enum(['tarl', 'tau', 'tau2']),
  limits: z.object({ maxTurns: z.number().int().min(1), maxErrors: z.number().int().min(1) }),
  /** The judge that broke in during episodes, with its version; absent: none did. */
  liveJudge: z.string().optional(),
  /** Ground-truth calls of the chosen tasks that fail on the untouched world. */
  groundTruthFaults: z.array(
    z.object({
      task: z.string(),
      callIndex: z.number().int(),
      call: z.string(),
      /** A failing write makes the expected end state doubtful; a failing look-up is often meant to fail. */
      isWrite: z.boolean(),
      error: z.string(),
    }),
  ),
});
export type RunManifest = z.infer<typeof runManifestSchema>;

function show(value: unknown): string {
  if (value === undefined) return 'not set';
  const text = canonicalJson(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** What differs, for people, one phrase each: `seed is 3 there and 4 now`. Empty: the run can be resumed. */
export function compareManifests(before: RunManifest, now: RunManifest): string[] {
  const differences: string[] = [];
  const visit = (path: string, a: unknown, b: unknown): void => {
    if (canonicalJson(a) === canonicalJson(b)) return;
    const bothObjects = [a, b].every(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    );
    if (!bothObjects) {
      differences.push(`${path} is ${show(a)} there and ${show(b)} now`);
      return;
    }
    const left = a as Record<string, unknown>;
    const right = b as Record<string, unknown>;
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)]))
      visit(path === '' ? key : `${path}.${key}`, left[key], right[key]);
  };
  // Where the data lies does not matter; what it says is in the hashes. The fault list follows from them.
  // So with voices, whose engines and settings `speech` names.
  const relevant = ({ data: _data, voices: _voices, ...facts }: RunManifest) => {
    const { groundTruthFaults: _faults, domain, voiceTasks, ...rest } = facts;
    const { label: _label, ...hashes } = domain;
    const { file: _file, ...tasks } = voiceTasks ?? { file: '' };
    return { ...rest, domain: hashes, voiceTasks: tasks };
  };
  visit('', relevant(before), relevant(now));
  return differences;
}
