import type { Verdict } from '../rewards/tarl.js';
import type { Judgement } from './judge.js';

const CLASSES: readonly Verdict[] = [-1, 0, 1];

interface ClassAgreement {
  readonly verdict: Verdict;
  /** Turns with this verdict by the reference. */
  readonly reference: number;
  readonly judged: number;
  /** Of the turns that the judge gave this verdict, those where the reference has it too; null: there are none. */
  readonly precision: number | null;
  readonly recall: number | null;
}

/** Where the one -1 fell, compared with the reference. `both none`, `same turn`: agreed. */
export interface DeviationAgreement {
  readonly bothNone: number;
  readonly sameTurn: number;
  readonly earlier: number;
  readonly later: number;
  /** The reference has one, the judge none. */
  readonly missed: number;
  /** The judge has one, the reference none. */
  readonly spurious: number;
}

export interface Agreement {
  /** Episodes that both have judged. */
  readonly episodes: number;
  /** Episodes of either that the other has no judgement on. */
  readonly uncovered: number;
  readonly turns: number;
  /** Turns by reference (row) and judge (column), in the order -1, 0, 1. */
  readonly confusion: readonly (readonly number[])[];
  /** Share of turns with the same verdict; null without turns. */
  readonly observed: number | null;
  /** Cohen's kappa over turns; null without turns, or where chance alone would agree always. */
  readonly kappa: number | null;
  readonly classes: readonly ClassAgreement[];
  readonly deviation: DeviationAgreement;
}

/**
 * Cohen's kappa of a square table: (observed - chance) / (1 - chance), chance from the margins.
 * By hand, table [[20, 5], [10, 15]]: observed 0.7, chance 0.5 * 0.6 + 0.5 * 0.4 = 0.5, kappa 0.4.
 */
export function cohenKappa(table: readonly (readonly number[])[]): number | null {
  const total = table.flat().reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const observed = table.reduce((sum, row, place) => sum + (row[place] ?? 0), 0) / total;
  const chance = table.reduce((sum, row, place) => {
    const inRow = row.reduce((a, b) => a + b, 0) / total;
    const inColumn = table.reduce((a, other) => a + (other[place] ?? 0), 0) / total;
    return sum + inRow * inColumn;
  }, 0);
  // Margins are sums of fractions: "always" within rounding.
  return 1 - chance < 1e-12 ? null : (observed - chance) / (1 - chance);
}

/** The turn of the -1; null: there is none. */
export function deviationTurn(verdicts: readonly { turn: number; verdict: number }[]): number | null {
  return verdicts.find((entry) => entry.verdict === -1)?.turn ?? null;
}

export type Placement = keyof DeviationAgreement;

/** Where a judge put its -1, seen from where it should be. Null: none. */
export function placementOf(judged: number | null, reference: number | null): Placement {
  if (reference === null) return judged === null ? 'bothNone' : 'spurious';
  if (judged === null) return 'missed';
  return judged === reference ? 'sameTurn' : judged < reference ? 'earlier' : 'later';
}

/** Judgements by episode id. */
export type Judgements = ReadonlyMap<string, Judgement>;

/** How far a judge agrees with a reference, another judge or people, over the episodes that both have judged. */
export function agreementOf(judge: Judgements, reference: Judgements): Agreement {
  const confusion = CLASSES.map(() => CLASSES.map(() => 0));
  const deviation = { bothNone: 0, sameTurn: 0, earlier: 0, later: 0, missed: 0, spurious: 0 };
  let episodes = 0;
  for (const [episode, theirs] of reference) {
    const ours = judge.get(episode);
    if (ours?.status !== 'judged' || theirs.status !== 'judged') continue;
    if (ours.verdicts.length !== theirs.verdicts.length) continue;
    episodes += 1;
    for (const [place, { verdict }] of theirs.verdicts.entries()) {
      const row = confusion[CLASSES.indexOf(verdict)];
      const column = CLASSES.indexOf(ours.verdicts[place]?.verdict ?? 0);
      if (row !== undefined) row[column] = (row[column] ?? 0) + 1;
    }
    deviation[placementOf(deviationTurn(ours.verdicts), deviationTurn(theirs.verdicts))] += 1;
  }
  const turns = confusion.flat().reduce((sum, count) => sum + count, 0);
  const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
  const known = new Set([...judge.keys(), ...reference.keys()]);
  return {
    ...{ episodes, uncovered: known.size - episodes, turns, confusion },
    observed: share(
      confusion.reduce((sum, row, place) => sum + (row[place] ?? 0), 0),
      turns,
    ),
    kappa: cohenKappa(confusion),
    classes: CLASSES.map((verdict, place) => {
      const inReference = (confusion[place] ?? []).reduce((a, b) => a + b, 0);
      const judged = confusion.reduce((sum, row) => sum + (row[place] ?? 0), 0);
      const hit = confusion[place]?.[place] ?? 0;
      return {
        ...{ verdict, reference: inReference, judged },
        ...{ precision: share(hit, judged), recall: share(hit, inReference) },
      };
    }),
    deviation,
  };
}
