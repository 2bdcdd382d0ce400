import type { FactSlot } from '../../../retail/index.js';
import type { AgentAct, AgentReading } from '../reading/agent-acts.js';
import type { PhraseKey, Wording } from '../wording.js';
import type { RequestList } from './request-list.js';
import type { RequestState } from './request-state.js';

interface SlotAnswer {
  readonly act: AgentAct;
  /** Looked up in this order. */
  readonly slots: readonly FactSlot[];
  readonly unknown: PhraseKey;
}

const SLOT_ANSWERS: readonly SlotAnswer[] = [
  { act: 'ask_order_id', slots: ['order_id'], unknown: 'order_unknown' },
  { act: 'ask_items', slots: ['items', 'new_options', 'detail'], unknown: 'unknown' },
  { act: 'ask_options', slots: ['new_options', 'detail'], unknown: 'no_wish' },
  { act: 'ask_payment', slots: ['payment'], unknown: 'no_wish' },
  { act: 'ask_reason', slots: ['reason'], unknown: 'unknown' },
  { act: 'ask_address', slots: ['address'], unknown: 'unknown' },
  { act: 'ask_other', slots: ['detail'], unknown: 'unknown' },
];

/**
 * Answers each thing asked with the one fact that fits: of the request the message is about, else of the first open
 * one that has not told it yet. What has no fact is not known. True when something new was told.
 */
export function answerSlots(
  reading: AgentReading,
  requests: RequestList,
  { wording, lines }: { wording: Wording; lines: string[] },
): boolean {
  const open = requests.open;
  const named = requests.about(reading.folded, open);
  let fresh = false;
  for (const { act, slots, unknown } of SLOT_ANSWERS) {
    if (!reading.acts.has(act)) continue;
    const found = findFact(slots, named) ?? findFact(slots, open);
    if (found === null) {
      const confirming = reading.acts.has('ask_confirmation');
      if (!confirming && act !== 'ask_other' && lines.length === 0) lines.push(wording.phrase(unknown));
      continue;
    }
    if (lines.includes(found.say)) continue;
    lines.push(found.say);
    found.state.markTold(found.say);
    fresh ||= found.fresh;
  }
  return fresh;
}

function findFact(
  slots: readonly FactSlot[],
  among: readonly RequestState[],
): { state: RequestState; say: string; fresh: boolean } | null {
  for (const slot of slots) {
    const found = among.flatMap((state) => {
      const fact = state.fact(slot);
      return fact === null ? [] : [{ state, ...fact }];
    });
    const best = found.find((fact) => fact.fresh) ?? found[0];
    if (best !== undefined) return best;
  }
  return null;
}
