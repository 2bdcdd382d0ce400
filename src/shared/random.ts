import { createHash } from 'node:crypto';

/** Seeded random numbers (xoshiro128**). Same seed, same sequence, on any machine. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform integer in [min, max], both included. */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  /** One element; throws RangeError on an empty list. */
  pick<T>(items: readonly T[]): T;
  /** A shuffled copy. */
  shuffle<T>(items: readonly T[]): T[];
}

/**
 * A 32-bit seed from any parts, by SHA-256, so that neighbours (task 1, task 2) get unrelated seeds.
 * Parts are length-prefixed: ('a','bc') and ('ab','c') differ.
 */
export function deriveSeed(...parts: readonly (string | number)[]): number {
  const hash = createHash('sha256');
  for (const part of parts) {
    const text = String(part);
    hash.update(`${text.length}:${text}`);
  }
  return hash.digest().readUInt32LE(0);
}

function expandSeed(seed: number): [number, number, number, number] {
  // splitmix32 fills the state, as the authors of xoshiro advise; an all-zero state is impossible.
  let state = seed >>> 0;
  const step = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  };
  return [step(), step(), step(), step()];
}

export function createRandom(seed: number): Random {
  let [a, b, c, d] = expandSeed(seed);
  const nextUint32 = (): number => {
    const times5 = Math.imul(b, 5);
    const result = Math.imul((times5 << 7) | (times5 >>> 25), 9) >>> 0;
    const t = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = (d << 11) | (d >>> 21);
    return result;
  };
  const next = (): number => nextUint32() / 4294967296;
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[int(0, items.length - 1)];
      if (item === undefined) throw new RangeError('pick needs at least one item; got an empty list');
      return item;
    },
    shuffle: (items) => {
      const copy = [...items];
      for (let i = copy.length - 1; i > 0; i -= 1) {
        const j = int(0, i);
        const swap = copy[i] as (typeof copy)[number];
        copy[i] = copy[j] as (typeof copy)[number];
        copy[j] = swap;
      }
      return copy;
    },
  };
}
