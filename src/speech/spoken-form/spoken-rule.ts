/** One kind of written thing and how it is said. */
export interface SpokenRule {
  /** The kind, for people: "order id". */
  readonly name: string;
  /**
   * Tried at every place where a word or sign starts, and matched exactly there. Flags: `y`, and `i` where case does not matter.
   */
  readonly pattern: RegExp;
  /** What is said instead of the match; null when this match is not of the kind after all. */
  readonly say: (match: RegExpExecArray) => string | null;
}

/** A group of the match; an absent optional group is ''. */
export function group(match: RegExpExecArray, index: number): string {
  return match[index] ?? '';
}
