import type { ToolCall } from '../../../retail/index.js';
import type { FaultKind, InjectedFault } from '../../agent.js';
import type { SeenWorld } from '../seen-world.js';
import { hasEffect } from './has-effect.js';
import type { FaultPlan } from './plan-fault.js';
import { needlessWrite, type WrongCall, wrongItem, wrongPayment } from './wrong-call.js';

/** A fault that is about to happen. `wrong`: the call to make in place of the right one. */
export interface DueFault {
  readonly kind: FaultKind;
  readonly wrong?: WrongCall | undefined;
}

/** Carries a fault plan through an episode and keeps the list of what was put in. At most one fault per episode. */
export class FaultInjector {
  readonly faults: InjectedFault[] = [];
  /** Faults that were thought better of when a live judge broke in. */
  readonly mended: InjectedFault[] = [];
  readonly #plan: FaultPlan | null;

  constructor(plan: FaultPlan | null) {
    this.#plan = plan;
  }

  /** Whether it sticks to a fault when a live judge breaks in. */
  get insists(): boolean {
    return this.#plan?.insists === true;
  }

  /** The last fault that was noted is not going to be. */
  mend(): void {
    const last = this.faults.pop();
    if (last !== undefined) this.mended.push(last);
  }

  /** Whether a wrong commitment is announced to the customer, in vague words, before the call. */
  get announces(): boolean {
    return this.#plan?.announced === true;
  }

  /** The first kind of the plan that is possible at this write; null when it is to be made right, or is moot anyway. */
  atWrite(call: ToolCall, write: number, seen: SeenWorld): DueFault | null {
    if (this.#plan === null || this.#plan.write !== write || !hasEffect(call, seen)) return null;
    for (const kind of this.#plan.kinds) {
      // It has its own place, after the last write.
      if (kind === 'needless_write') return null;
      if (kind !== 'wrong_item' && kind !== 'wrong_payment') return { kind };
      const make = kind === 'wrong_item' ? wrongItem : wrongPayment;
      const wrong = make(call, seen, this.#plan.random);
      if (wrong !== null) return { kind, wrong };
    }
    return null;
  }

  /** After the last write, when nothing was put in so far: a needless write where possible, else an invented tool. */
  atEnd(writes: readonly ToolCall[], seen: SeenWorld): DueFault | null {
    if (this.#plan === null || this.faults.length + this.mended.length > 0) return null;
    const toolFirst = writes.length === 0 && this.#plan.kinds[0] === 'invented_tool';
    const wrong = toolFirst ? null : needlessWrite(writes, seen);
    return wrong === null ? { kind: 'invented_tool' } : { kind: 'needless_write', wrong };
  }

  note(
    kind: FaultKind,
    turn: number,
    { detail, announced = false }: { detail: string; announced?: boolean },
  ): void {
    this.faults.push({ kind, turn, announced, detail });
  }
}
