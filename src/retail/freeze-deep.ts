/**
 * Freezes a record and all in it. Records are shared by the sessions of a process, so a stray write must fail at once.
 * What is frozen already is not looked into again: a changed record costs only its new parts.
 */
export function freezeDeep<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const child of Object.values(value)) freezeDeep(child);
  return Object.freeze(value);
}
