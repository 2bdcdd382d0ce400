import { resolve } from 'node:path';
import { layOut, sizeOf, stepsOf, stepsPicture } from '../../dataset/index.js';
import { generateProblems, loadProblems, type MathsProblem } from '../../maths/index.js';
import { checkShownSize } from '../generating/check-size.js';
import { readSchedule } from '../generating/read-schedule.js';
import { wholeNumber } from '../number-option.js';
import type { RegisterCommand } from '../program.js';
import type { Terminal } from '../terminal.js';
import { writeAtomically } from '../write-atomically.js';

interface ShowFlags {
  readonly steps?: number;
  readonly picture?: string;
  readonly json?: true;
}

interface ProblemFlags {
  readonly from?: string;
  readonly count: number;
  readonly seed: number;
  readonly out: string;
}

function stepLine(counts: ReturnType<typeof stepsOf>[number]): string {
  const { step, phase, maths, text, speech, simplified, harder } = counts;
  const columns = [maths, text, speech, simplified, harder].map((count) => String(count).padStart(7));
  return `${String(step).padStart(6)}  ${phase.padEnd(12)}${columns.join('')}`;
}

async function show(file: string | undefined, flags: ShowFlags, terminal: Terminal): Promise<void> {
  const schedule = await readSchedule(file, terminal);
  const asked = flags.steps ?? null;
  checkShownSize(sizeOf(schedule, asked));
  const steps = stepsOf(schedule, asked);
  if (flags.picture !== undefined)
    await writeAtomically(resolve(terminal.cwd, flags.picture), stepsPicture(steps));
  if (flags.json === true) {
    terminal.out(
      `${JSON.stringify({ schedule, counts: steps, steps: [...layOut(schedule, asked)] }, null, 2)}\n`,
    );
    return;
  }
  const { batch, seed } = schedule;
  terminal.out(
    `${sizeOf(schedule, null).steps} steps of ${batch.tasks} tasks x ${batch.rollouts} rollouts, seed ${seed}\n\n  step  phase         maths   text speech simple harder\n`,
  );
  for (const step of steps) terminal.out(`${stepLine(step)}\n`);
  if (flags.picture !== undefined) terminal.out(`\npicture  ${flags.picture}\n`);
}

const lineOf = ({ id, problem, answer, source }: MathsProblem): string =>
  `${JSON.stringify({ id, problem, answer: answer.toString(), source })}\n`;

async function problems(flags: ProblemFlags, terminal: Terminal): Promise<void> {
  const { from, count, seed, out } = flags;
  const loaded = from === undefined ? null : await loadProblems(resolve(terminal.cwd, from));
  const chosen = loaded === null ? generateProblems({ count, seed }) : loaded.problems.slice(0, count);
  for (const { rule, removed } of loaded?.steps ?? []) terminal.err(`left out ${removed}: ${rule}\n`);
  const text = chosen.map(lineOf).join('');
  if (out === '-') terminal.out(text);
  else {
    await writeAtomically(resolve(terminal.cwd, out), text);
    terminal.err(`${out}: ${chosen.length} problems, each with a whole number as its answer\n`);
  }
}

/** `parlor curriculum …`: what a mixed training run would hold, and its maths problems. */
export const registerCurriculum: RegisterCommand = (program, terminal) => {
  const curriculum = program
    .command('curriculum')
    .description('Plan a mixed training run: warm-up, then maths, text and speech in turn.');
  curriculum
    .command('show')
    .description('Show what each step holds. Without a file: the recipe of the TARL paper.')
    .argument('[schedule]', 'a schedule file (see docs/training.md)')
    .option('--steps <n>', 'only the first n steps', wholeNumber('--steps', { min: 1, max: 1_000_000 }))
    .option('--picture <file>', 'write the mix over these steps as an SVG picture')
    .option('--json', 'print the schedule and every task of every step')
    .addHelpText('after', '\nExample:\n  parlor curriculum show --steps 12 --picture mix.svg')
    .action((file: string | undefined, flags: ShowFlags) => show(file, flags, terminal));
  curriculum
    .command('problems')
    .description('Make maths problems with whole-number answers, or keep the usable ones of a file.')
    .option(
      '--from <file>',
      'JSON array, JSON lines or Parquet with problem and answer, as DeepScaleR has them',
    )
    .option('--count <n>', 'at most so many', wholeNumber('--count', { min: 1, max: 1_000_000 }), 100)
    .option('--seed <n>', 'of the generator', wholeNumber('--seed', { min: 0, max: 0xffffffff }), 1)
    .option('--out <file>', '"-": print them', '-')
    .addHelpText(
      'after',
      '\nExamples:\n  parlor curriculum problems --count 5\n  parlor curriculum problems --from deepscaler.json --count 4000 --out maths.jsonl',
    )
    .action((flags: ProblemFlags) => problems(flags, terminal));
};
