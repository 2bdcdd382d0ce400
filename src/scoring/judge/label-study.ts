import { type DeviationAgreement, deviationTurn, type Judgements, placementOf } from './agreement.js';

/** What is known about one episode: the turn on which a fault was put in, and of which kind; no fault: flawless. */
export interface FaultLabel {
  readonly episode: string;
  readonly fault: { readonly kind: string; readonly turn: number } | null;
}

interface LabelRow extends DeviationAgreement {
  /** "flawless", or the kind of the fault. */
  readonly kind: string;
  readonly episodes: number;
  /** Judgements that are missing; they count in no other column. */
  readonly missing: number;
}

/** A judge against known faults: where its -1 fell, by kind. */
export interface LabelStudy {
  readonly rows: readonly LabelRow[];
  /** Of the judged episodes with a fault, those with the -1 on its turn; null: there are none. */
  readonly located: number | null;
  /** Of the judged flawless episodes, those without a -1. */
  readonly spared: number | null;
}

const FLAWLESS = 'flawless';

/**
 * Compares judgements with faults that were put in on purpose. An agent that hangs up is labelled with the turn it would
 * have taken, which no verdict can name: a label beyond the last turn counts as the last.
 */
export function studyLabels(judgements: Judgements, labels: readonly FaultLabel[]): LabelStudy {
  const rows = new Map<string, LabelRow>();
  for (const { episode, fault } of labels) {
    const judgement = judgements.get(episode);
    if (judgement === undefined) continue;
    const kind = fault?.kind ?? FLAWLESS;
    const row = rows.get(kind) ?? {
      ...{
        kind,
        episodes: 0,
        missing: 0,
        bothNone: 0,
        sameTurn: 0,
        earlier: 0,
        later: 0,
        missed: 0,
        spurious: 0,
      },
    };
    if (judgement.status === 'missing') {
      rows.set(kind, { ...row, episodes: row.episodes + 1, missing: row.missing + 1 });
      continue;
    }
    const last = judgement.verdicts.at(-1)?.turn ?? 0;
    const wanted = fault === null ? null : Math.max(1, Math.min(fault.turn, last));
    const placement = placementOf(deviationTurn(judgement.verdicts), wanted);
    rows.set(kind, { ...row, episodes: row.episodes + 1, [placement]: row[placement] + 1 });
  }
  const sorted = [...rows.values()].sort((a, b) =>
    a.kind === FLAWLESS ? -1 : b.kind === FLAWLESS ? 1 : a.kind < b.kind ? -1 : 1,
  );
  const share = (pick: (row: LabelRow) => number, of: readonly LabelRow[]): number | null => {
    const judged = of.reduce((sum, row) => sum + row.episodes - row.missing, 0);
    return judged === 0 ? null : of.reduce((sum, row) => sum + pick(row), 0) / judged;
  };
  return {
    rows: sorted,
    located: share(
      (row) => row.sameTurn,
      sorted.filter((row) => row.kind !== FLAWLESS),
    ),
    spared: share(
      (row) => row.bothNone,
      sorted.filter((row) => row.kind === FLAWLESS),
    ),
  };
}
