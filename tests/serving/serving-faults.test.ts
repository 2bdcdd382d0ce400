import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const projectRoot = resolve(import.meta.dirname, '../..');

/** The faults of the research notes that concern a sandbox of audio models. */
const OURS = '1 4-8 12-15 24-31 34-37 42-45 51-55';

/** "4-6 9" → 4, 5, 6, 9; also with commas and "and". */
function rowsIn(text: string): number[] {
  return [...text.matchAll(/(\d+)(?:-(\d+))?/g)].flatMap(([, from, to]) => {
    const first = Number(from);
    return Array.from({ length: Number(to ?? from) - first + 1 }, (_, place) => first + place);
  });
}

/** Rows that names of tests mention: "row 7", "rows 25, 28", and in those of realtime agents "(25, 28)". */
function rowsNamedByTests(): Set<number> {
  const named = new Set<number>();
  const folders = ['models', 'agents', 'user', 'sandbox', 'serving'];
  for (const folder of folders.map((name) => join(projectRoot, 'tests', name)))
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.test.ts')) continue;
      const text = readFileSync(join(folder, file), 'utf8');
      const titles = text.matchAll(
        /^\s*(?:it|describe|\)?\(|\] as const\)\()[^\n]*|^\s*['"`\]].*\brows? \d.*$/gm,
      );
      for (const [title] of titles) {
        for (const [, rows = ''] of title.matchAll(/\brows? (\d+(?:(?:, | and |-)\d+)*)/g))
          for (const row of rowsIn(rows)) named.add(row);
        if (file.startsWith('realtime'))
          for (const [, rows = ''] of title.matchAll(/\((\d+(?:, \d+)*)\)/g))
            for (const row of rowsIn(rows)) named.add(row);
      }
    }
  return named;
}

it('each fault of model servers has a test that names its row, or a sentence that says why it cannot happen', () => {
  const document = readFileSync(join(projectRoot, 'docs/decisions/serving-faults.md'), 'utf8');
  const answers = new Map<number, string>();
  for (const [, rows = '', answer = ''] of document.matchAll(/^\| ([\d, -]+?) +\| [^|]+\| ([^|]+)\|$/gm))
    for (const row of rowsIn(rows)) answers.set(row, `${answers.get(row) ?? ''} ${answer.trim()}`);
  const named = rowsNamedByTests();
  expect(rowsIn(OURS).filter((row) => !answers.has(row))).toEqual([]);
  // Where the answer speaks of a test, there is one by that number.
  const promised = [...answers].filter(([, answer]) => /\btests?\b/.test(answer)).map(([row]) => row);
  expect(promised.filter((row) => !named.has(row))).toEqual([]);
});
