import { describe, expect, it } from 'vitest';
import { inventedFacts, lostFacts } from '../../../src/dataset/curriculum/instruction-facts.js';
import {
  createModelRewriter,
  createRuleRewriter,
  fillSchedule,
  parseSchedule,
} from '../../../src/dataset/index.js';
import { generateMathsTasks } from '../../../src/maths/index.js';
import { createScriptedChat, type ScriptedAnswer } from '../../../src/models/index.js';
import { generateTrainingTasks, type Task } from '../../../src/retail/index.js';

const TEXT =
  'Your name is Oscar Ortiz, and you live in zip code 48215. Your email is oscar.ortiz8051@example.com. You want to return "the red lamp" from order #W4018882 for $1,249.50.';

describe('the facts of an instruction', () => {
  it('are found again however the sentences are turned, and their loss is named', () => {
    expect(lostFacts(TEXT, `${TEXT.split('. ').toReversed().join('. ')} Be vague.`)).toEqual([]);
    expect(lostFacts(TEXT, TEXT.replace('#W4018882', '#W401888'))).toEqual(['w4018882']);
    expect(lostFacts(TEXT, TEXT.replace('48215', '482155'))).toEqual(['48215']);
    expect(lostFacts(TEXT, TEXT.replace('Oscar Ortiz', 'a customer'))).toEqual(['oscar ortiz']);
    expect(lostFacts(TEXT, TEXT.replace('$1,249.50', 'some money'))).toEqual(['1,249.50']);
    expect(lostFacts(TEXT, TEXT.replace('"the red lamp"', 'the lamp'))).toEqual(['"the red lamp"']);
  });

  it('that are new are named', () => {
    expect(inventedFacts(TEXT, `${TEXT} Your other order is #W1112223.`)).toEqual(['w1112223']);
    expect(inventedFacts(TEXT, `By the way: ${TEXT}`)).toEqual([]);
  });
});

const [TASK] = generateTrainingTasks({ count: 12, seed: 1 }).filter(({ scenario }) =>
  scenario?.requests.some(({ goal, facts }) => goal !== 'ask' && facts.length > 0),
) as [Task];

const HIDDEN = TASK.scenario?.requests.find(({ goal, facts }) => goal !== 'ask' && facts.length > 0);

const reply = (instruction: string, say = 'It is about something that I bought.'): string =>
  `Here you are: ${JSON.stringify({ instruction, requests: [{ id: HIDDEN?.id, say }] })}`;

async function harden(answer: ScriptedAnswer) {
  return createModelRewriter(createScriptedChat([answer]), 1).harden(TASK);
}

describe('a model that rewrites instructions', () => {
  it('is followed when every fact survives; what is right and which facts are told when stay as by rule', async () => {
    const words = `Do not be too clear at first. ${TASK.instruction}`;
    const { task, by } = await harden(reply(words));
    const byRule = (await createRuleRewriter(1).harden(TASK)).task;
    expect(by).toBe('model');
    expect(task.instruction).toBe(words);
    expect(task.groundTruth).toEqual(TASK.groundTruth);
    expect(task.scenario?.requests.map(({ facts }) => facts)).toEqual(
      byRule.scenario?.requests.map(({ facts }) => facts),
    );
    expect(task.scenario?.requests.map(({ say }) => say)).toContain('It is about something that I bought.');
  });

  it.each([
    [
      'loses a fact',
      reply('You want something from the shop, and you are in a hurry.'),
      'rewrite loses facts',
    ],
    ['makes one up', reply(`${TASK.instruction} Your other order is #W1112223.`), 'rewrite makes facts up'],
    ['tells ids in a hint', reply(TASK.instruction, 'It is order 4018882.'), 'hints tell too much'],
    ['answers in prose', 'I would rather not.', 'reply cannot be read'],
    ['answers with other JSON', '{"instruction": 3}', 'reply cannot be read'],
  ])('gives way to the rule when it %s', async (_what, answer, why) => {
    const { task, by } = await harden(answer);
    expect(by).toBe(`rules, for the model's ${why}`);
    expect(task).toEqual((await createRuleRewriter(1).harden(TASK)).task);
  });

  it('ends the undertaking when it cannot be asked at all', async () => {
    await expect(harden(new Error('no line'))).rejects.toThrow('no line');
  });
});

describe('a filled schedule', () => {
  it('has every task once, as many of each kind as laid out, and counts who rewrote', async () => {
    const schedule = parseSchedule(
      JSON.stringify({
        ...{ version: 1, seed: 2, batch: { tasks: 6, rollouts: 2 } },
        phases: [
          { name: 'easy', steps: 2, tasks: 'simplified', shares: { text: 1 } },
          { name: 'all', steps: 3, harder: 0.5, shares: { maths: 0.3, text: 0.4, speech: 0.3 } },
        ],
      }),
      'test',
    );
    const supply = {
      retail: (count: number) => generateTrainingTasks({ count, seed: 5 }),
      maths: (count: number) => generateMathsTasks({ count, seed: 5 }),
    };
    let asked = 0;
    const chat = createScriptedChat((request) => {
      asked += 1;
      const { instruction } = JSON.parse(String(request.messages[1]?.content)) as { instruction: string };
      return JSON.stringify({
        instruction: asked % 2 === 0 ? 'Just say that you want something.' : instruction,
        requests: [],
      });
    });
    const filled = await fillSchedule(schedule, {
      supply,
      rewriter: createModelRewriter(chat, 5),
      steps: null,
    });
    expect(filled.places).toHaveLength(30);
    expect(new Set(filled.places.map(({ task }) => task.id)).size).toBe(30);
    const harder = filled.places.filter(({ variant }) => variant === 'harder');
    expect(harder.every(({ task }) => task.id.endsWith('-harder') && task.tags.includes('harder'))).toBe(
      true,
    );
    expect(Object.values(filled.rewrites).reduce((a, b) => a + b)).toBe(harder.length);
    expect(filled.rewrites["rules, for the model's rewrite loses facts"]).toBe(Math.floor(harder.length / 2));
    const rules = { supply, rewriter: createRuleRewriter(5), steps: 3 };
    const some = await fillSchedule(schedule, rules);
    expect(some.places.at(-1)?.step).toBe(3);
    expect(await fillSchedule(schedule, rules)).toEqual(some);
  }, 60_000);
});
