/**
 * Dollars with at most two decimals outside, whole cents inside. Every function takes what JSON gave (a binary float
 * near a whole number of cents) and is exact from there on.
 */

/** Whole cents of an amount in dollars. */
export function toCents(dollars: number): number {
  return Math.round(dollars * 100);
}

/** Dollars of whole cents: the double nearest to the decimal number, as JSON would read it. */
export function toDollars(cents: number): number {
  // Adding 0 turns -0 into 0, so that no result ever reads "-0".
  return cents / 100 + 0;
}

/** "$1,234.50" for people; a minus sign comes first. */
export function formatCents(cents: number): string {
  const digits = (Math.abs(cents) / 100).toFixed(2).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return `${cents < 0 ? '-' : ''}$${digits}`;
}

/**
 * A double rounded to two decimals as the reference's language does it: the exact binary value decides, and an exact
 * tie goes to the even cent (0.125 gives 0.12). `toFixed` is exact too, but takes ties away from zero.
 */
export function roundToCents(value: number): number {
  if (!Number.isFinite(value) || Math.abs(value) >= 2 ** 53) return value;
  // Only an odd multiple of 1/8 can lie exactly between two cents.
  const size = Math.abs(value);
  const isTie = Number.isInteger(size * 8) && (size * 8) % 2 === 1;
  if (!isTie) return Number(value.toFixed(2)) + 0;
  const evenCents = ['12', '38', '62', '88'][Math.floor((size % 1) * 4)];
  return Math.sign(value) * Number(`${Math.floor(size)}.${evenCents}`);
}
