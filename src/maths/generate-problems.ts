import { createRandom, deriveSeed, type Random } from '../shared/index.js';
import { MathsProblemsError } from './errors.js';

/** A problem whose answer is a whole number. */
export interface MathsProblem {
  readonly id: string;
  readonly problem: string;
  readonly answer: bigint;
  /** Which generator made it, or where it was loaded from. */
  readonly source: string;
}

interface Draft {
  readonly problem: string;
  readonly answer: bigint;
  /** The same by another way, usually by counting: a generator whose formula is wrong is found out at once. */
  readonly check: () => bigint;
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}

function count(from: number, to: number, holds: (value: number) => boolean): bigint {
  let found = 0n;
  for (let value = from; value <= to; value += 1) if (holds(value)) found += 1n;
  return found;
}

function choose(n: number, k: number): bigint {
  let result = 1n;
  for (let step = 1; step <= k; step += 1) result = (result * BigInt(n - k + step)) / BigInt(step);
  return result;
}

function power(base: number, exponent: number, modulus: number): bigint {
  let [result, factor, rest] = [1n, BigInt(base), exponent];
  for (; rest > 0; rest >>= 1) {
    if (rest % 2 === 1) result = (result * factor) % BigInt(modulus);
    factor = (factor * factor) % BigInt(modulus);
  }
  return result;
}

const FAMILIES: Readonly<Record<string, (random: Random) => Draft>> = {
  series: (random) => {
    const [first, step, terms] = [random.int(-20, 40), random.int(2, 15), random.int(12, 60)];
    return {
      problem: `An arithmetic sequence begins with ${first} and goes up by ${step} each time. What is the sum of its first ${terms} terms?`,
      answer: BigInt((terms * (2 * first + (terms - 1) * step)) / 2),
      check: () =>
        Array.from({ length: terms }, (_, place) => BigInt(first + place * step)).reduce((a, b) => a + b, 0n),
    };
  },
  multiples: (random) => {
    const [a, b, limit] = [random.int(3, 9), random.int(10, 17), random.int(300, 2000)];
    const common = (a * b) / gcd(a, b);
    const of = (value: number): number => Math.floor(limit / value);
    return {
      problem: `How many whole numbers from 1 to ${limit} are divisible by ${a} or by ${b}?`,
      answer: BigInt(of(a) + of(b) - of(common)),
      check: () => count(1, limit, (value) => value % a === 0 || value % b === 0),
    };
  },
  remainder: (random) => {
    const [base, exponent, modulus] = [random.int(3, 29), random.int(40, 400), random.int(7, 97)];
    return {
      problem: `What is the remainder when ${base}^${exponent} is divided by ${modulus}?`,
      answer: power(base, exponent, modulus),
      check: () => BigInt(base) ** BigInt(exponent) % BigInt(modulus),
    };
  },
  divisors: (random) => {
    const [a, b, c] = [random.int(1, 5), random.int(1, 3), random.int(1, 2)];
    const value = 2 ** a * 3 ** b * 5 ** c;
    return {
      problem: `How many positive divisors does ${value} have?`,
      answer: BigInt((a + 1) * (b + 1) * (c + 1)),
      check: () => count(1, value, (each) => value % each === 0),
    };
  },
  committee: (random) => {
    const [women, men] = [random.int(5, 9), random.int(5, 9)];
    const [some, others] = [random.int(2, 3), random.int(2, 3)];
    return {
      problem: `A club has ${women} women and ${men} men. In how many ways can a committee of ${some} women and ${others} men be chosen?`,
      answer: choose(women, some) * choose(men, others),
      check: () => {
        const subsets = (of: number, size: number): bigint =>
          count(0, 2 ** of - 1, (bits) => bits.toString(2).replaceAll('0', '').length === size);
        return subsets(women, some) * subsets(men, others);
      },
    };
  },
  equations: (random) => {
    const [x, y] = [random.int(-15, 30), random.int(-15, 30)];
    const [a, b, c, d] = [random.int(2, 9), random.int(2, 9), random.int(2, 9), random.int(-9, -2)];
    const [e, f] = [a * x + b * y, c * x + d * y];
    return {
      problem: `The numbers x and y satisfy ${a}x + ${b}y = ${e} and ${c}x - ${-d}y = ${f}. What is x + y?`,
      answer: BigInt(x + y),
      check: () => BigInt((e * d - b * f) / (a * d - b * c) + (a * f - c * e) / (a * d - b * c)),
    };
  },
  digits: (random) => {
    const [sum, limit] = [random.int(9, 20), random.int(4, 9) * 100 + 99];
    const hundreds = Math.floor(limit / 100);
    let found = 0n;
    for (let h = 1; h <= hundreds; h += 1)
      for (let t = 0; t <= 9; t += 1) if (sum - h - t >= 0 && sum - h - t <= 9) found += 1n;
    return {
      problem: `How many whole numbers from 100 to ${limit} have digits that add up to ${sum}?`,
      answer: found,
      check: () =>
        count(
          100,
          limit,
          (value) => [...String(value)].reduce((all, digit) => all + Number(digit), 0) === sum,
        ),
    };
  },
};

export interface GenerateOptions {
  readonly count: number;
  readonly seed: number;
  /** Texts of problems that must not come up, e.g. those of the evaluation. */
  readonly exclude?: ReadonlySet<string>;
}

/** A kind of problem has only so many different ones; after so many repeats the next kind takes the place. */
const MOST_DRAWS = 40;

/**
 * Problems of school competitions' kind, all different, each with an answer that was worked out twice. The first 10 are
 * also the first of 20.
 */
export function generateProblems({ count: wanted, seed, exclude }: GenerateOptions): MathsProblem[] {
  const names = Object.keys(FAMILIES);
  const taken = new Set(exclude);
  return Array.from({ length: wanted }, (_, place): MathsProblem => {
    for (let attempt = 0; attempt < MOST_DRAWS * names.length; attempt += 1) {
      const name = names[(place + Math.floor(attempt / MOST_DRAWS)) % names.length] ?? 'series';
      const draft = FAMILIES[name]?.(createRandom(deriveSeed('maths', seed, place, attempt)));
      if (draft === undefined || taken.has(draft.problem)) continue;
      const { problem, answer, check } = draft;
      if (check() !== answer) throw new RangeError(`"${name}" gives a wrong answer: ${problem}`);
      taken.add(problem);
      return { id: `maths-${seed}-${place + 1}`, problem, answer, source: `parlor/${name}` };
    }
    throw new MathsProblemsError(
      `the generator has no ${wanted} different problems; it ran out at ${place + 1}. Take fewer, or a file of problems`,
    );
  });
}
