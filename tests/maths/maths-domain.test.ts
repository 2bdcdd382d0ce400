import { describe, expect, it } from 'vitest';
import {
  builtInMaths,
  createMathsCustomers,
  createMathsDomain,
  generateMathsTasks,
  verifyMaths,
} from '../../src/maths/index.js';
import type { Task } from '../../src/retail/index.js';

const [TASK] = generateMathsTasks({ count: 1, seed: 3 }) as [Task];
const RIGHT = TASK.communicate[0] ?? '';

function verdict(agentMessages: readonly string[], endedInOrder = true) {
  const session = builtInMaths().openSession();
  return verifyMaths({ task: TASK, session, agentMessages, rule: 'tau2', endedInOrder });
}

describe('a maths episode is verified', () => {
  it('by the number in the last box, in the fields of a retail outcome', () => {
    expect(verdict([`so \\boxed{${RIGHT}}`])).toEqual({
      ...{ rule: 'tau2', reward: 1, success: true, unscored: [], difference: [], unsaid: [] },
      scores: { database: 1, writes: 1, communicate: 1, actions: null, assertions: null },
    });
    expect(verdict([`\\boxed{1${RIGHT}}`])).toMatchObject({ reward: 0, success: false, unsaid: [RIGHT] });
    expect(verdict([`\\boxed{${RIGHT}}`, 'You are welcome, that was 1 problem.']).reward).toBe(1);
    expect(verdict([`\\boxed{1}`, `no: \\boxed{${RIGHT}}`]).reward).toBe(1);
  });

  it('by the last number where nothing is in a box, and never when it did not end in order', () => {
    expect(verdict([`first 5, then ${RIGHT}.`]).reward).toBe(1);
    expect(verdict([`${RIGHT}, or rather 7${RIGHT}`]).reward).toBe(0);
    expect(verdict([]).reward).toBe(0);
    expect(verdict([`\\boxed{${RIGHT}}`], false)).toMatchObject({ reward: 0, scores: { communicate: 1 } });
  });
});

describe('the customer of a maths task', () => {
  it('poses the problem, asks for a box as long as there is none, and leaves with or without it', async () => {
    const brief = { taskId: TASK.id, instruction: TASK.instruction };
    const customer = createMathsCustomers().create(brief, 7);
    expect(await customer.open()).toEqual({ text: TASK.instruction });
    expect((await customer.reply('Is it 3?')).text).toContain('\\boxed{}');
    expect((await customer.reply('\\boxed{wrong}')).end).toBe('stop');
    const patient = createMathsCustomers().create(brief, 7);
    await patient.open();
    const ends = [];
    for (let message = 0; message < 4; message += 1) ends.push((await patient.reply('Hm.')).end);
    expect(ends).toEqual([undefined, undefined, undefined, 'stop']);
  });
});

describe('maths tasks', () => {
  it('for training are all different and none is of the evaluation', () => {
    const texts = generateMathsTasks({ count: 1500, seed: 1 }).map(({ instruction }) => instruction);
    expect(new Set(texts).size).toBe(1500);
    const evaluation = new Set(builtInMaths().tasks.map(({ instruction }) => instruction));
    expect(evaluation.size).toBe(builtInMaths().tasks.length);
    expect(texts.filter((text) => evaluation.has(text))).toEqual([]);
    expect(generateMathsTasks({ count: 10, seed: 1 })).toEqual(
      generateMathsTasks({ count: 1500, seed: 1 }).slice(0, 10),
    );
  });

  it('have no tools: a call is refused with what to do instead', () => {
    const session = builtInMaths().openSession();
    expect(session.call('calculate', { expression: '1 + 1' })).toMatchObject({
      ...{ ok: false, content: expect.stringContaining('answer in words') },
    });
    expect(session.calls).toEqual([{ name: 'calculate', arguments: { expression: '1 + 1' }, ok: false }]);
    expect(() => createMathsDomain([{ ...TASK, communicate: ['x'] }], 'mine')).toThrow('no maths task');
  });
});
