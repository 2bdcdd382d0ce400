import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteFile } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { generateProblems, loadProblems } from '../../src/maths/index.js';
import { temporaryFolder } from '../helpers/temporary-folder.js';

const LONG =
  'A farmer has some hens and some cows. Together they have 40 heads and 116 legs. How many hens are there?';

describe('maths problems', () => {
  it('are made with answers that two ways of working out agree on, the same for the same seed', () => {
    const made = generateProblems({ count: 700, seed: 5 });
    expect(new Set(made.map(({ source }) => source)).size).toBe(7);
    expect(made).toEqual(generateProblems({ count: 700, seed: 5 }));
    expect(new Set(made.map(({ problem }) => problem)).size).toBeGreaterThan(550);
  });

  it('are kept from a file when whole-numbered, medium and without pictures, and the rest is counted', async () => {
    const rows = [
      { problem: LONG, answer: '22' },
      { problem: LONG, answer: '22' },
      { problem: `${LONG} `, answer: '1,200' },
      { problem: `${LONG}  `, answer: '\\frac{1}{2}' },
      { problem: `${LONG} [asy] draw(); [/asy]`, answer: 3 },
      { problem: 'What is 1 + 1?', answer: '2' },
      { problem: 'What is 1 + 2?', answer: 3, pass_rate: 0.5 },
      { problem: `${LONG}   `, answer: '4', pass_rate: 0.95 },
      { question: 'no' },
    ];
    const path = join(temporaryFolder(), 'problems.jsonl');
    writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const { problems, steps } = await loadProblems(path);
    expect(problems.map(({ answer }) => answer)).toEqual([22n, 1200n, 3n]);
    expect(Object.fromEntries(steps.map(({ rule, removed }) => [rule, removed]))).toEqual({
      'twice in the file': 1,
      'the answer is no whole number': 1,
      'needs a picture': 1,
      'not of medium difficulty': 2,
      'no problem and answer': 1,
    });
  });

  it('are read from Parquet too', async () => {
    const path = join(temporaryFolder(), 'problems.parquet');
    parquetWriteFile({
      filename: path,
      columnData: [
        { name: 'problem', data: [LONG], type: 'STRING' },
        { name: 'answer', data: ['22'], type: 'STRING' },
      ],
    });
    expect((await loadProblems(path)).problems).toMatchObject([{ problem: LONG, answer: 22n }]);
  });

  const ROWS = [
    { problem: LONG, answer: '22' },
    { problem: `${LONG} `, answer: '23' },
  ];
  it.each([
    ['a JSON array, laid out', JSON.stringify(ROWS, null, 2)],
    ['a JSON array on one line', `${JSON.stringify(ROWS)}\n`],
    ['a JSON array with a byte order mark', `\uFEFF \n${JSON.stringify(ROWS)}`],
    [
      'JSON lines with a byte order mark, of Windows, with gaps',
      `\uFEFF${ROWS.map((row) => `${JSON.stringify(row)}\r\n\r\n`).join('')}`,
    ],
  ])('are read from %s', async (_form, text) => {
    const path = join(temporaryFolder(), 'deepscaler.json');
    writeFileSync(path, text);
    expect((await loadProblems(path)).problems.map(({ answer }) => answer)).toEqual([22n, 23n]);
  });

  it.each([
    ['a bad line', '{"problem":"x","answer":"1"}\n\n{"problem":\n', 'line 3 is no JSON'],
    ['a bad array', '[\n  {"problem": "x"},\n  }\n]', 'it begins like a JSON array, but is none'],
    ['a cut array', '[\n  {"problem": "x"},\n  {"problem"', 'none, on line 3'],
    ['nothing', '', 'the file is empty'],
    ['nothing but a byte order mark and spaces', '\uFEFF \r\n\n', 'the file is empty'],
    ['an empty array', '[]', 'the file has no rows'],
    ['a terminal escape', '{"problem":"x"}\n\u001b[31mred', 'line 2 is no JSON'],
    ['half of a Parquet file', 'PAR1 and then nothing', 'this Parquet file is damaged or cut off'],
  ])('say what is wrong with a file of %s', async (_name, text, message) => {
    const path = join(temporaryFolder(), 'problems.jsonl');
    writeFileSync(path, text);
    const failure = await loadProblems(path).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'maths-problems', message: expect.stringContaining(message) });
    expect(String(failure)).not.toContain('\u001b');
  });

  it('say what is wrong with a Parquet file without rows, and with one that is none', async () => {
    const path = join(temporaryFolder(), 'problems.parquet');
    const columnData = ['problem', 'answer'].map((name) => ({ name, data: [], type: 'STRING' as const }));
    parquetWriteFile({ filename: path, columnData });
    await expect(loadProblems(path)).rejects.toThrow('the file has no rows');
    writeFileSync(path, '');
    await expect(loadProblems(path)).rejects.toThrow('the file is empty');
    writeFileSync(path, '{}');
    await expect(loadProblems(path)).rejects.toThrow('its name says Parquet, its content does not');
  });

  it('say what is wrong with a file that has none', async () => {
    const path = join(temporaryFolder(), 'problems.jsonl');
    writeFileSync(path, '{"problem":"x","answer":"pi"}\n');
    await expect(loadProblems(path)).rejects.toThrow('the answer is no whole number: 1');
    writeFileSync(path, 'not json');
    await expect(loadProblems(path)).rejects.toMatchObject({ code: 'maths-problems' });
    await expect(loadProblems(`${path}.missing`)).rejects.toMatchObject({ code: 'maths-problems' });
  });
});
