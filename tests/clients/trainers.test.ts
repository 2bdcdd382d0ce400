import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTurnBatch,
  grpo,
  gtpo,
  hybrid,
  mtGrpo,
  spreadOverTurns,
  TURN_POOLINGS,
  type TurnBatch,
} from '../../src/scoring/index.js';
import { createRandom } from '../../src/shared/index.js';
import { exportRun } from '../dataset/helpers/export-run.js';
import { sampleRun } from '../dataset/helpers/sample-run.js';
import { keptFolder, temporaryFolder } from '../helpers/temporary-folder.js';
import {
  type ProgramResult,
  projectRoot,
  runProgram,
  type ServedSandbox,
  serveSandbox,
  venvProgram,
} from './helpers/served-sandbox.js';

const OUTCOME_PLACES = ['after-last-turn', 'on-last-turn', 'instead-of-last-turn'] as const;

/** Random groups with what our own scoring makes of them: uneven, empty, without spread, with the options that a formula has. */
function advantageVectors(): object[] {
  const random = createRandom(20);
  const drawGroup = () =>
    Array.from({ length: random.int(0, 4) }, () => ({
      outcome: random.chance(0.5) ? random.int(0, 1) : random.next() * 15 - 5,
      turns: Array.from({ length: random.int(0, 5) }, () => random.pick([0, 1, -0.1, 0.3, random.next()])),
    }));
  return Array.from({ length: 200 }, (_, number) => {
    const groups = Array.from({ length: random.int(1, 4) }, drawGroup);
    const batch = createTurnBatch(
      groups.map((group) => group.map(({ outcome, turns }) => ({ outcome, turnRewards: turns }))),
    );
    const asIs = number < 4;
    const own = asIs ? {} : { epsilon: random.pick([1e-9, 1e-6, 0.1]), scale: 'deviation' as const };
    const turnOptions = asIs
      ? {}
      : {
          ...{ ...own, gamma: random.int(0, 10) / 10 },
          ...{ pooling: random.pick(TURN_POOLINGS), outcomePlace: random.pick(OUTCOME_PLACES) },
        };
    const lambda = asIs ? {} : { lambda: random.int(0, 10) / 10 };
    const formulas = {
      grpo: (each: TurnBatch) =>
        spreadOverTurns(grpo(each.outcomes, each.groupOffsets, own), each.turnOffsets),
      'mt-grpo': (each: TurnBatch) => mtGrpo(each, turnOptions),
      gtpo: (each: TurnBatch) => gtpo(each, turnOptions),
      hybrid: (each: TurnBatch) => hybrid(each, { ...turnOptions, ...lambda }),
    };
    const names = Object.keys(formulas) as (keyof typeof formulas)[];
    const name = names[number % names.length] ?? 'grpo';
    const { values } = formulas[name](batch);
    let next = 0;
    const advantages = groups.map((group) => group.map(({ turns }) => turns.map(() => values[next++])));
    const { outcomePlace, ...rest } = { outcomePlace: undefined, ...turnOptions };
    return {
      ...{ name, groups, advantages },
      options: {
        ...(name === 'grpo'
          ? own
          : { ...rest, ...(outcomePlace === undefined ? {} : { outcome_place: outcomePlace }) }),
        ...(name === 'hybrid' && 'lambda' in lambda ? { weight: lambda.lambda } : {}),
      },
    };
  });
}

const COMPARE = `
import json, sys
from parlor_verl import FORMULAS, Episode, Options
compared = 0
for case in json.load(open(sys.argv[1])):
    groups = [[Episode(each["outcome"], each["turns"]) for each in group] for group in case["groups"]]
    got = FORMULAS[case["name"]](groups, Options(**case["options"]))
    for ours, theirs in zip(got, case["advantages"], strict=True):
        for mine, other in zip(ours, theirs, strict=True):
            for a, b in zip(mine, other, strict=True):
                assert abs(a - b) < 1e-9, (case, got)
                compared += 1
print("compared", compared)
`;

const vectors = join(keptFolder(), 'vectors.json');
const client = join(projectRoot, 'clients', 'python', 'src');
let served: ServedSandbox;
beforeAll(async () => {
  writeFileSync(vectors, JSON.stringify(advantageVectors()));
  served = await serveSandbox();
});
afterAll(() => served.stop());

describe.skipIf(!existsSync(venvProgram('python')))(
  'without a trainer (skipped without scripts/clients-venv.sh)',
  () => {
    it('advantages in Python equal those of the scoring room to 1e-9', async () => {
      const { code, output } = await runProgram(venvProgram('python'), ['-c', COMPARE, vectors], {
        env: { PYTHONPATH: client },
      });
      expect(code, output).toBe(0);
      expect(Number(/compared (\d+)/.exec(output)?.[1])).toBeGreaterThan(500);
    });

    it('the example of a loop of one’s own learns from groups of rollouts', async () => {
      const example = join(projectRoot, 'examples', 'training', 'batches.py');
      const { code, output } = await runProgram(venvProgram('python'), [example, served.url], {
        env: { PYTHONPATH: client },
      });
      expect(code, output).toBe(0);
      expect(output).toContain('learnt from 4 groups');
    }, 120_000);

    it('the example of a gateway keeps every token that its policy sampled, and is told the rewards', async () => {
      const example = join(projectRoot, 'examples', 'training', 'gateway.py');
      const { code, output } = await runProgram(venvProgram('python'), ['-W', 'error', example, served.url], {
        env: { PYTHONPATH: client },
      });
      expect(code, output).toBe(0);
      expect(output).toContain('4 rollouts, every token as it was sampled');
    }, 120_000);
  },
);

const trainerPython = join(projectRoot, '.venv-trainers', 'bin', 'python');
const offline = { HF_HUB_OFFLINE: '1', TRL_EXPERIMENTAL_SILENCE: '1', PYTHONWARNINGS: 'ignore' };

describe.skipIf(!existsSync(trainerPython))('TRL and verl (skipped without scripts/trainers-venv.sh)', () => {
  function runTrainer(program: string, ...args: string[]): Promise<ProgramResult> {
    const runner = join(projectRoot, 'tests', 'clients', 'trainers', 'run.py');
    return runProgram(trainerPython, [runner, program, ...args], {
      env: { ...offline, HF_HOME: temporaryFolder() },
    });
  }
  const example = (name: string): string => join(projectRoot, 'examples', 'training', name);

  it("TRL's GRPOTrainer takes two steps on a tiny policy that talks to customers and uses tools", async () => {
    const { code, output } = await runTrainer(example('trl_grpo.py'), served.url);
    expect(code, output).toBe(0);
    expect(output).toContain('2 steps, 14 of 14 weights moved');
  }, 600_000);

  it("verl's agent loop worker hears customers in the middle of rollouts, and its loss moves the weights", async () => {
    const { code, output } = await runTrainer(example('verl_rollout.py'), served.url);
    expect(code, output).toBe(0);
    expect(output).toContain('14 of 14 weights moved');
  }, 600_000);

  it('tools read as the sandbox means them; estimators in verl’s registry equal our scoring; exported clips load as samples', async () => {
    const folder = keptFolder();
    const { dir, scores } = await sampleRun({ tasks: 2, folder });
    const out = join(folder, 'data');
    await exportRun(dir, out, { scores });
    const script = join(projectRoot, 'tests', 'clients', 'trainers', 'check_contracts.py');
    const { code, output } = await runTrainer(script, served.url, vectors, out);
    expect(code, output).toBe(0);
    const report = JSON.parse(output.trim().split('\n').at(-1) ?? '') as Record<string, number>;
    expect(report.tools).toBeGreaterThan(12);
    expect(report.estimators).toBeGreaterThan(300);
    expect(report.dataset).toBeGreaterThan(1);
  }, 600_000);
});
