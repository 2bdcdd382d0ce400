/** A stretch of words on both sides; where `same` is false, either side may be empty. */
export interface AlignedStretch {
  readonly said: string;
  readonly heard: string;
  readonly same: boolean;
}

export interface Alignment {
  readonly stretches: readonly AlignedStretch[];
  /** Words to put in, leave out or replace (Levenshtein). */
  readonly errors: number;
  /** Words that were said. */
  readonly words: number;
}

/** The table grows with the product of both sides; nobody says as much in one breath. */
const MOST_WORDS = 400;

interface Word {
  readonly shown: string;
  /** Without case and punctuation. */
  readonly plain: string;
}

function wordsOf(text: string): Word[] {
  return text
    .split(/\s+/)
    .map((shown) => ({ shown, plain: shown.toLowerCase().replace(/[^\p{L}\p{N}']+/gu, '') }))
    .filter(({ plain }) => plain !== '')
    .slice(0, MOST_WORDS);
}

/** Edits between the first i and the first j words, for all i and j. */
function editTable(said: readonly Word[], heard: readonly Word[]): number[][] {
  const table = [heard.map((_, j) => j).concat(heard.length)];
  for (const [i, { plain }] of said.entries()) {
    const above = table[i] ?? [];
    const row = [i + 1];
    for (const [j, other] of heard.entries())
      row.push(
        Math.min(
          (above[j] ?? 0) + (plain === other.plain ? 0 : 1),
          (above[j + 1] ?? 0) + 1,
          (row[j] ?? 0) + 1,
        ),
      );
    table.push(row);
  }
  return table;
}

/** Lays what was heard beside what was said, word by word; case and punctuation do not count. */
export function alignWords(said: string, heard: string): Alignment {
  const [left, right] = [wordsOf(said), wordsOf(heard)];
  const table = editTable(left, right);
  const at = (i: number, j: number): number => table[i]?.[j] ?? Number.POSITIVE_INFINITY;
  const pairs: { said?: Word | undefined; heard?: Word | undefined }[] = [];
  for (let [i, j] = [left.length, right.length]; i > 0 || j > 0; ) {
    const [word, other] = [left[i - 1], right[j - 1]];
    const cost = at(i, j);
    if (i > 0 && j > 0 && cost === at(i - 1, j - 1) + (word?.plain === other?.plain ? 0 : 1)) {
      pairs.push({ said: word, heard: other });
      i -= 1;
      j -= 1;
    } else if (i > 0 && cost === at(i - 1, j) + 1) {
      pairs.push({ said: word });
      i -= 1;
    } else {
      pairs.push({ heard: other });
      j -= 1;
    }
  }
  const stretches: { said: string; heard: string; same: boolean }[] = [];
  for (const pair of pairs.reverse()) {
    const same = pair.said?.plain === pair.heard?.plain;
    let last = stretches.at(-1);
    if (last?.same !== same) {
      last = { said: '', heard: '', same };
      stretches.push(last);
    }
    last.said = `${last.said} ${pair.said?.shown ?? ''}`.trim();
    last.heard = `${last.heard} ${pair.heard?.shown ?? ''}`.trim();
  }
  return { stretches, errors: at(left.length, right.length), words: left.length };
}
