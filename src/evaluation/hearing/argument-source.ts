/**
 * Where a value in a tool call came from. `said`: the customer said it. `tool`: an earlier result told it. `misheard`: neither,
 * and what the customer said is much like it. `own`: the agent's own words, such as a summary, or its choice from a list.
 */
export type ArgumentSource = 'said' | 'tool' | 'misheard' | 'own';

export interface SourcedArgument {
  /** Place in the arguments, e.g. `item_ids.0`. */
  readonly name: string;
  readonly value: string;
  readonly source: ArgumentSource;
  /** What was said instead; null unless misheard. */
  readonly said: string | null;
}

/** Longer values are prose. */
const MOST_LETTERS = 80;
const LEAST_LETTERS = 3;
const MOST_SHOWN = 200;
const MOST_SEARCHED = 2_000;
const MOST_ARGUMENTS = 40;
/** Compared with the latest so many words. */
const MOST_WORDS = 300;
/** Letters that may differ, as a share of the value's; above that it is something else. */
const ALIKE = 0.4;

/** Lower case, every run of other signs one space. */
const plainWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** A text in which whole words can be looked for. */
export const searchable = (text: string): string => ` ${plainWords(text)} `;

/** What was known when a call was made. */
export interface KnownSoFar {
  /** Everything that the customer has said, as written. */
  readonly written: readonly string[];
  /** The same and its spoken form, `searchable`. */
  readonly said: readonly string[];
  /** Results of earlier calls, `searchable`. */
  readonly told: readonly string[];
}

function letterEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, j) => j);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1)
      next.push(
        Math.min(
          (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1),
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
        ),
      );
    row = next;
  }
  return row[other.length] ?? 0;
}

/** The stretch of what was said that is most like a value, as it was written; null: nothing is. */
function nearest(value: string, said: readonly string[]): string | null {
  const plain = plainWords(value);
  if (plain.length < LEAST_LETTERS || plain.length > MOST_LETTERS) return null;
  const written = said
    .join(' ')
    .split(/\s+/)
    .slice(-MOST_WORDS)
    .filter((word) => plainWords(word) !== '');
  const size = value.trim().split(/\s+/).length;
  let best: { edits: number; words: string } | null = null;
  for (let length = Math.max(1, size - 1); length <= size + 1; length += 1)
    for (let at = 0; at + length <= written.length; at += 1) {
      const words = written.slice(at, at + length).join(' ');
      const edits = letterEdits(plain, plainWords(words));
      if (best === null || edits < best.edits) best = { edits, words };
    }
  if (best === null || best.edits > ALIKE * plain.length) return null;
  return best.words.replace(/^[^\p{L}\p{N}#$]+|[^\p{L}\p{N}]+$/gu, '');
}

function* leaves(value: unknown, name: string): Generator<{ name: string; value: string }> {
  if (typeof value === 'string' || typeof value === 'number') yield { name, value: String(value) };
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value))
      yield* leaves(inner, name === '' ? key : `${name}.${key}`);
}

/**
 * Sorts each value in a call's arguments by where it came from. `choices`: values that the tool offers, which nobody has to say
 * word for word.
 */
export function sourceArguments(
  args: Readonly<Record<string, unknown>>,
  { written, said, told }: KnownSoFar,
  choices: ReadonlySet<string> = new Set(),
): SourcedArgument[] {
  const found: SourcedArgument[] = [];
  for (const { name, value } of leaves(args, '')) {
    if (found.length === MOST_ARGUMENTS) break;
    const wanted = searchable(value.slice(0, MOST_SEARCHED));
    if (wanted.trim() === '') continue;
    const shown = value.length > MOST_SHOWN ? `${value.slice(0, MOST_SHOWN)}…` : value;
    const holds = (texts: readonly string[]): boolean => texts.some((text) => text.includes(wanted));
    const source = holds(said) ? 'said' : holds(told) ? 'tool' : null;
    const near = source === null && !choices.has(value) ? nearest(value, written) : null;
    found.push({
      ...{ name, value: shown, said: near },
      source: source ?? (near === null ? 'own' : 'misheard'),
    });
  }
  return found;
}
