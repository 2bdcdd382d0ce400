/**
 * Arithmetic on the two number types of the reference's dialect: whole numbers of any size (bigint) and doubles
 * (number). Rules kept: `/` always gives a double, `//` floors, a whole power of a whole number stays whole, mixing
 * gives doubles. Left out on purpose: complex results and anything too large to be a sum of money.
 */
export type Numeric = bigint | number;

/** Why an expression has no value; the message is for the model. */
export class CalculationFault extends Error {}

/** Far above any money, far below what makes a big power slow. */
const MAX_BITS = 20_000;

function bitLength(value: bigint): number {
  return (value < 0n ? -value : value).toString(16).length * 4;
}

function bounded(value: Numeric): Numeric {
  if (typeof value === 'bigint' ? bitLength(value) > MAX_BITS : !Number.isFinite(value))
    throw new CalculationFault('the numbers in it grow too large');
  return value;
}

/** The double nearest to a numeric; a whole number beyond the doubles is a fault. */
export function toDouble(value: Numeric): number {
  const double = Number(value);
  if (!Number.isFinite(double)) throw new CalculationFault('the numbers in it grow too large');
  return double;
}

export function add(a: Numeric, b: Numeric): Numeric {
  return bounded(typeof a === 'bigint' && typeof b === 'bigint' ? a + b : toDouble(a) + toDouble(b));
}

export function subtract(a: Numeric, b: Numeric): Numeric {
  return bounded(typeof a === 'bigint' && typeof b === 'bigint' ? a - b : toDouble(a) - toDouble(b));
}

export function multiply(a: Numeric, b: Numeric): Numeric {
  return bounded(typeof a === 'bigint' && typeof b === 'bigint' ? a * b : toDouble(a) * toDouble(b));
}

function refuseZero(divisor: Numeric): void {
  if (divisor === 0n || divisor === 0) throw new CalculationFault('it divides by zero');
}

/** a / b of whole numbers as the nearest double: 64 significant bits are enough to round once. */
function divideWhole(a: bigint, b: bigint): number {
  const negative = a < 0n !== b < 0n;
  const top = a < 0n ? -a : a;
  const bottom = b < 0n ? -b : b;
  const shift = Math.max(0, bitLength(bottom) - bitLength(top) + 68);
  const scaled = top << BigInt(shift);
  const quotient = scaled / bottom;
  const sticky = scaled % bottom === 0n ? 0n : 1n;
  // Halving twice keeps the scale factor itself inside the doubles.
  const half = Math.floor(shift / 2);
  const size = Number((quotient << 1n) | sticky) / 2 / 2 ** half / 2 ** (shift - half);
  return negative ? -size : size;
}

export function divide(a: Numeric, b: Numeric): Numeric {
  refuseZero(b);
  return bounded(
    typeof a === 'bigint' && typeof b === 'bigint' ? divideWhole(a, b) : toDouble(a) / toDouble(b),
  );
}

export function floorDivide(a: Numeric, b: Numeric): Numeric {
  refuseZero(b);
  if (typeof a === 'bigint' && typeof b === 'bigint') {
    const quotient = a / b;
    return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
  }
  // By the remainder, not by flooring a / b: 1 // 0.1 is 9, since 0.1 is a little more than a tenth.
  const top = toDouble(a);
  const bottom = toDouble(b);
  const remainder = top % bottom;
  let quotient = (top - remainder) / bottom;
  if (remainder !== 0 && bottom < 0 !== remainder < 0) quotient -= 1;
  const floored = Math.floor(quotient);
  return bounded(quotient - floored > 0.5 ? floored + 1 : floored);
}

export function power(base: Numeric, exponent: Numeric): Numeric {
  if (typeof base === 'bigint' && typeof exponent === 'bigint' && exponent >= 0n) {
    const trivial = base === 0n || base === 1n || base === -1n;
    if (!trivial && (exponent > MAX_BITS || bitLength(base) * Number(exponent) > MAX_BITS))
      throw new CalculationFault('the numbers in it grow too large');
    return base ** (trivial ? exponent % 2n || (exponent === 0n ? 0n : 2n) : exponent);
  }
  const from = toDouble(base);
  const by = toDouble(exponent);
  if (from === 0 && by < 0) throw new CalculationFault('it divides by zero');
  if (from < 0 && !Number.isInteger(by)) throw new CalculationFault('it takes a root of a negative number');
  return bounded(
    Number.isInteger(by) && Math.abs(by) <= MAX_EXACT_EXPONENT ? wholePower(from, by) : from ** by,
  );
}

const MAX_EXACT_EXPONENT = 128;

/** A double to a whole power, rounded once: the engine's own `**` can be off in the last place. */
function wholePower(base: number, exponent: number): number {
  let mantissa = base;
  let halvings = 0;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    halvings += 1;
  }
  const top = BigInt(mantissa) ** BigInt(Math.abs(exponent));
  const bottom = 2n ** BigInt(halvings * Math.abs(exponent));
  return exponent >= 0 ? divideWhole(top, bottom) : divideWhole(bottom, top);
}

export function negate(value: Numeric): Numeric {
  return -value;
}
