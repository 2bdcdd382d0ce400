import { canonicalJson } from '../../shared/index.js';

/**
 * How two argument values are compared. arXiv 2604.02869, section 4.3 names the rules (key order ignored, lists of
 * objects sorted, numeric strings read as numbers, empty values dropped, recursively) and is silent on their edges;
 * the defaults say what was chosen.
 */
export interface ArgumentEquality {
  /** Default true: "12" equals 12, "5.0" equals 5. Strings that lose something as a number ("007", "1e400") stay strings. */
  readonly numericStrings?: boolean;
  /** Default true: null, "", [] and {} equal an absent key, and vanish from lists. */
  readonly dropEmpty?: boolean;
  /** Default `objects`: lists of objects are compared as multisets, lists of plain values in order. `all`: every list. `none`: no list. */
  readonly unorderedLists?: 'objects' | 'all' | 'none';
  /** Default false: "Gift_Card_1" and "gift_card_1" differ, as they do for the tools. */
  readonly ignoreCase?: boolean;
  /** Default 1e-9, relative to the larger of the two and 1. */
  readonly tolerance?: number;
}

const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

function readScalar(
  value: unknown,
  { numericStrings = true, ignoreCase = false }: ArgumentEquality,
): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  // Ids are digits too: beyond the exact integers, two ids would become one number.
  if (numericStrings && PLAIN_NUMBER.test(text) && Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER)
    return Number(text);
  return ignoreCase ? text.toLowerCase() : text;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value in the form in which it is compared. Nothing of it is shown to anybody. */
export function canonicalArgument(value: unknown, options: ArgumentEquality = {}): unknown {
  const { dropEmpty = true, unorderedLists = 'objects' } = options;
  if (Array.isArray(value)) {
    const items = value
      .map((item) => canonicalArgument(item, options))
      .filter((item) => !dropEmpty || !isEmpty(item));
    const unordered =
      unorderedLists === 'all' || (unorderedLists === 'objects' && items.every(isPlainObject));
    if (!unordered) return items;
    return items
      .map((item) => ({ item, key: canonicalJson(item) }))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
      .map(({ item }) => item);
  }
  if (isPlainObject(value)) {
    const entries = Object.entries(value)
      .map(([key, item]) => [key, canonicalArgument(item, options)] as const)
      .filter(([, item]) => item !== undefined && (!dropEmpty || !isEmpty(item)));
    return Object.fromEntries(entries);
  }
  return readScalar(value, options);
}

/** Compares two canonical values; see `canonicalArgument`. */
export function canonicalEqual(a: unknown, b: unknown, tolerance = 1e-9): boolean {
  if (typeof a === 'number' && typeof b === 'number')
    return Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b));
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => canonicalEqual(item, b[index], tolerance));
  if (isPlainObject(a) && isPlainObject(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && canonicalEqual(a[key], b[key], tolerance))
    );
  }
  return a === b;
}

/** Are two argument values the same by the rules of `ArgumentEquality`? */
export function argumentsEqual(a: unknown, b: unknown, options: ArgumentEquality = {}): boolean {
  return canonicalEqual(canonicalArgument(a, options), canonicalArgument(b, options), options.tolerance);
}
