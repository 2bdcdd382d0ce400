import { canonicalJson } from '../../shared/index.js';
import type { RunManifest } from '../manifest.js';
import type { RunData } from '../metrics/run-summary.js';

/** What two runs may differ in so that their figures do not measure the same. Each has a flag that lets it pass. */
export const DIFFERENCE_KINDS = ['customers', 'worlds', 'rules', 'conditions'] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

export interface RunDifference {
  readonly kind: DifferenceKind;
  /** For people, e.g. `customer is "scripted/1" there and "model/1 …" here`. */
  readonly text: string;
}

/** A run with the name by which people know it. */
export interface NamedRun {
  readonly name: string;
  readonly run: RunData;
}

type Fact = readonly [kind: DifferenceKind, what: string, read: (manifest: RunManifest) => unknown];

const FACTS: readonly Fact[] = [
  // The name holds the model, the prompt's hash, the persona and the language.
  ['customers', 'customer', ({ customer }) => customer],
  ['customers', 'customer options', ({ customerOptions }) => customerOptions ?? {}],
  ['worlds', 'rules of the world', ({ domain }) => domain.rules],
  ['worlds', 'world', ({ domain }) => domain.worldHash],
  ['worlds', 'policy', ({ domain }) => domain.policyHash],
  ['worlds', 'tools', ({ domain }) => domain.toolsHash],
  ['rules', 'outcome rule', ({ rule }) => rule],
  ['rules', 'limits', ({ limits }) => limits],
  ['rules', 'live judge', ({ liveJudge }) => liveJudge ?? 'none'],
  ['conditions', 'turn-taking', ({ turnTaking }) => turnTaking ?? 'half-duplex'],
  [
    'conditions',
    'conditions of the line',
    ({ conditions, voiceTasks }) => {
      if (voiceTasks === undefined) return conditions ?? 'clean';
      return `${voiceTasks.complexity} of voice tasks ${voiceTasks.sha256.slice(0, 12)}`;
    },
  ],
];

const MAX_SHOWN = 70;

function show(value: unknown): string {
  const text = canonicalJson(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text;
}

/** Tasks by id as the records tell them: the same id in two folders of data may be two tasks. */
function taskTexts({ records }: RunData): Map<string, string> {
  return new Map(records.map(({ header }) => [header.task.id, canonicalJson(header.task)]));
}

/** Why the figures of two runs do not measure the same; empty: they do. */
export function findDifferences(base: NamedRun, other: NamedRun): RunDifference[] {
  const [a, b] = [base.run.manifest, other.run.manifest];
  const found = FACTS.flatMap(([kind, what, read]): RunDifference[] => {
    const [left, right] = [show(read(a)), show(read(b))];
    return canonicalJson(read(a)) === canonicalJson(read(b))
      ? []
      : [{ kind, text: `${what} is ${left} in ${base.name} and ${right} in ${other.name}` }];
  });
  const bothSpeak = a.speech !== null && b.speech !== null;
  if (bothSpeak && a.speech !== b.speech)
    found.push({
      kind: 'conditions',
      text: `voice is ${show(a.speech)} in ${base.name} and ${show(b.speech)} in ${other.name}`,
    });
  const here = taskTexts(other.run);
  const changed = [...taskTexts(base.run)].filter(([id, text]) => here.has(id) && here.get(id) !== text);
  if (changed.length > 0)
    found.push({
      kind: 'worlds',
      text: `${changed.length} tasks of the same id are not the same in ${base.name} and ${other.name}, e.g. ${changed[0]?.[0]}`,
    });
  return found;
}
