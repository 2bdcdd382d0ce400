import { describe, expect, it } from 'vitest';
import type { FaultKind } from '../../../src/agents/index.js';
import { wrongPayment } from '../../../src/agents/oracle/faults/wrong-call.js';
import { SeenWorld } from '../../../src/agents/oracle/seen-world.js';
import { createRandom } from '../../../src/shared/index.js';
import { type Played, playOracle, transcript } from '../../helpers/play-oracle.js';
import { smallDomain } from '../../helpers/small-retail-world.js';
import { exchangeMug, handOver, shopTasks, twoWrites } from './shop-tasks.js';

const domain = smallDomain('parlor', shopTasks);
/** Faults that leave the end state right: they are for judges to find. */
const JUDGE_ONLY: readonly FaultKind[] = ['no_confirmation', 'invented_tool'];

async function playTrials(trials: number, tasks = [twoWrites, exchangeMug, handOver]): Promise<Played[]> {
  const all: Played[] = [];
  for (let trial = 0; trial < trials; trial += 1)
    all.push(...(await playOracle(domain, tasks, { faultRate: 1, seed: 3, trial })));
  return all;
}

/** The agent's action at the turn of the fault: the record is the witness. */
function actionAt(played: Played, turn: number): string {
  const event = played.events.find(
    (each) =>
      (each.type === 'agent' || each.type === 'tool_call' || each.type === 'end') && each.turn === turn,
  );
  if (event?.type === 'agent') return `say: ${event.text}`;
  if (event?.type === 'tool_call') return `call: ${event.name} ${JSON.stringify(event.arguments)}`;
  return event?.type ?? 'nothing';
}

const WITNESS: Record<FaultKind, RegExp> = {
  wrong_item: /^call: (?:return|exchange)_|^say: .*(?:#W0000002 \(item)/,
  wrong_payment: /^call: (?:return|exchange)_|^say: .*put through/,
  no_confirmation: /^call: (?:return|exchange|cancel)_/,
  forgotten_step: /^say: .*(?:has been requested|I have cancelled)/,
  needless_write:
    /^call: (?:cancel_pending_order|modify_user_address)|^say: Before we finish|^say: .*Before we finish/,
  invented_tool: /^call: prioritise_request/,
  // Of maths alone: no shop episode may have one.
  wrong_answer: /^(?!)/,
  early_end: /^end$|^nothing$/,
};

describe('faults put in on purpose', () => {
  it('each kind occurs, once per episode, at the turn it reports, and makes the outcome wrong where it should', async () => {
    const played = await playTrials(16);
    const kinds = new Set<FaultKind>();
    for (const each of played) {
      const [fault, ...more] = each.report.faults;
      expect(more).toEqual([]);
      if (fault === undefined) throw new Error(`no fault in\n${transcript(each)}`);
      kinds.add(fault.kind);
      expect(actionAt(each, fault.turn), `${fault.kind}\n${transcript(each)}`).toMatch(WITNESS[fault.kind]);
      expect(each.success, `${fault.kind}\n${transcript(each)}`).toBe(JUDGE_ONLY.includes(fault.kind));
    }
    expect(kinds).toEqual(new Set(Object.keys(WITNESS).filter((kind) => kind !== 'wrong_answer')));
  });

  it('a wrong payment is not chosen where nothing is to be paid, for the order would show no trace of it', () => {
    const seen = new SeenWorld();
    const read = (name: string, args: Record<string, string>): void =>
      seen.learn(name, args, domain.openSession().call(name, args).content);
    read('get_order_details', { order_id: '#W0000001' });
    read('get_user_details', { user_id: 'wilma_dorn_1' });
    read('get_product_details', { product_id: 'P-MUG' });
    const swap = (newItem: string) => ({
      name: 'modify_pending_order_items',
      arguments: {
        ...{ order_id: '#W0000001', item_ids: ['M1'], new_item_ids: [newItem] },
        payment_method_id: 'card_1',
      },
    });
    expect(wrongPayment(swap('M4'), seen, createRandom(1))).toBeNull();
    expect(wrongPayment(swap('M2'), seen, createRandom(1))).not.toBeNull();
  });

  it('some are announced in words too vague to object to, some only done', async () => {
    const played = await playTrials(16);
    const wrong = played.flatMap(({ report }) =>
      report.faults.filter(({ kind }) => kind === 'wrong_item' || kind === 'wrong_payment'),
    );
    expect(new Set(wrong.map(({ announced }) => announced))).toEqual(new Set([true, false]));
  });

  it('the same seed gives the same episodes, another seed others', async () => {
    const bytes = async (seed: number): Promise<string> => {
      const played = await playOracle(domain, shopTasks, { faultRate: 0.5, seed });
      return JSON.stringify(played.map(({ events, report }) => [events, report]));
    };
    const first = await bytes(3);
    expect(await bytes(3)).toBe(first);
    expect(await bytes(4)).not.toBe(first);
  });

  it('a rate of one half hits some episodes and spares others', async () => {
    const hit: boolean[] = [];
    for (let trial = 0; trial < 12; trial += 1) {
      const played = await playOracle(domain, [exchangeMug], { faultRate: 0.5, seed: 3, trial });
      hit.push(...played.map(({ report }) => report.faults.length > 0));
    }
    expect(new Set(hit)).toEqual(new Set([true, false]));
  });
});
