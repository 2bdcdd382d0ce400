import { roundToCents } from '../money.js';
import type { Overlay } from '../overlay.js';

/** A place in a database, as a JSON Pointer without escapes, and its new value; null where it went away. */
export interface Change {
  readonly path: string;
  readonly value: unknown;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Deep equality of JSON values: numbers to the cent, key order ignored, null the same as absent. */
function equalsToTheCent(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') return roundToCents(a) === roundToCents(b);
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, place) => equalsToTheCent(item, b[place]));
  if (isRecord(a) && isRecord(b))
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) =>
      equalsToTheCent(a[key], b[key]),
    );
  return a === b || (isAbsent(a) && isAbsent(b));
}

/** The smallest places at which two values differ; a list that changed its length is given whole. */
function* changesBetween(before: unknown, after: unknown, path: string): Generator<Change> {
  if (equalsToTheCent(before, after)) return;
  if (isRecord(before) && isRecord(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      yield* changesBetween(before[key], after[key], `${path}/${key}`);
  } else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [place, item] of before.entries())
      yield* changesBetween(item, after[place], `${path}/${place}`);
  } else {
    yield { path, value: after ?? null };
  }
}

/** All that an overlay changed in its world. */
export function changesOf(overlay: Overlay): Change[] {
  return [
    ...[...overlay.orders].flatMap(([id, order]) => [
      ...changesBetween(overlay.world.orders.get(id), order, `/orders/${id}`),
    ]),
    ...[...overlay.users].flatMap(([id, user]) => [
      ...changesBetween(overlay.world.users.get(id), user, `/users/${id}`),
    ]),
  ];
}

/** Where two values differ, one line each: "/a/0/b: expected 1, got 2". */
export function describeDifferences(expected: unknown, got: unknown): string[] {
  return [...differencesBetween(expected, got, '')];
}

function* differencesBetween(expected: unknown, got: unknown, path: string): Generator<string> {
  if (equalsToTheCent(expected, got)) return;
  if (isRecord(expected) && isRecord(got)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(got)]))
      yield* differencesBetween(expected[key], got[key], `${path}/${key}`);
  } else if (Array.isArray(expected) && Array.isArray(got) && expected.length === got.length) {
    for (const [place, item] of expected.entries())
      yield* differencesBetween(item, got[place], `${path}/${place}`);
  } else {
    yield `${path === '' ? 'value' : path}: expected ${JSON.stringify(expected ?? null)}, got ${JSON.stringify(got ?? null)}`;
  }
}
