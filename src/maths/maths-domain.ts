import { readFileSync } from 'node:fs';
import type { RetailDomain, Task, ToolResult, WorldSession } from '../retail/index.js';
import { sha256Hex } from '../shared/index.js';
import { generateProblems, type MathsProblem } from './generate-problems.js';

/** A new seed is a new evaluation: results before and after it cannot be compared. */
const EVALUATION_SEED = 1_000_003;
const EVALUATION_COUNT = 140;

/** A problem as a task of the sandbox. The customer gets the problem; the answer is what has to be said. */
export function problemTask({ id, problem, answer, source }: MathsProblem, split: string): Task {
  return {
    ...{ id, splits: [split], instruction: problem, groundTruth: [], communicate: [answer.toString()] },
    ...{ assertions: [], rewardBasis: ['COMMUNICATE'], tags: ['maths', source] },
  };
}

/** The right answer of a maths task. @throws RangeError for another task: a fault in the calling program */
export function answerOf({ id, communicate }: Pick<Task, 'id' | 'communicate'>): bigint {
  const [answer] = communicate;
  if (communicate.length === 1 && answer !== undefined && /^-?\d+$/.test(answer)) return BigInt(answer);
  throw new RangeError(`task ${id} is no maths task: its answer must be one whole number`);
}

function openSession(): WorldSession {
  const calls: WorldSession['calls'][number][] = [];
  return {
    ...{ rules: 'parlor', transferred: false, calls },
    call: (name, args): ToolResult => {
      const given = typeof args === 'object' && args !== null && !Array.isArray(args) ? args : {};
      calls.push({ name, arguments: { ...given }, ok: false });
      const error = `there is no tool "${name}": maths problems are solved without tools; answer in words`;
      return { ok: false, code: 'unknown-tool', error, content: `Error: ${error}` };
    },
  };
}

/** Maths tasks in the shape of a domain: an empty world, no tools, and a policy that says how to answer. */
export function createMathsDomain(tasks: readonly Task[], label: string): RetailDomain {
  for (const task of tasks) answerOf(task);
  return {
    ...{ source: 'maths', label, rules: 'parlor', tools: [], tasks, openSession },
    world: { users: new Map(), products: new Map(), orders: new Map() },
    policy: readFileSync(new URL('./policy.md', import.meta.url), 'utf8'),
    worldHash: () => sha256Hex('no world'),
  };
}

let made: RetailDomain | undefined;

/** The built-in evaluation problems (split "test"), made on first use and then kept. */
export function builtInMaths(): RetailDomain {
  made ??= createMathsDomain(
    generateProblems({ count: EVALUATION_COUNT, seed: EVALUATION_SEED }).map((problem, place) =>
      problemTask({ ...problem, id: `maths-eval-${String(place + 1).padStart(3, '0')}` }, 'test'),
    ),
    `built-in maths (seed ${EVALUATION_SEED})`,
  );
  return made;
}

/** Problems to train on (split "train"): none of the built-in evaluation is among them. */
export function generateMathsTasks({ count, seed }: { count: number; seed: number }): Task[] {
  const exclude = new Set(builtInMaths().tasks.map(({ instruction }) => instruction));
  return generateProblems({ count, seed, exclude }).map((problem) => problemTask(problem, 'train'));
}
