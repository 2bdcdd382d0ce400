import { join } from 'node:path';
import type { z } from 'zod';
import { ScoreFileError } from '../errors.js';
import type { Judgement, MissingReason } from '../judge/judge.js';
import { type ScoreHeader, type ScoreLine, scoreHeaderSchema, scoreLineSchema } from './score-line.js';
import type { RunScores } from './score-run.js';

const NAME_CHARACTERS = 16;

/** Where the scores of one scorer lie in a run folder: `scores/<hash>.jsonl`. */
export function scorePath(runDir: string, scorerHash: string): string {
  return join(runDir, 'scores', `${scorerHash.slice(0, NAME_CHARACTERS)}.jsonl`);
}

/** The file's text: the header, then one line per episode. */
export function writeScores({ scorer, lines }: Pick<RunScores, 'scorer' | 'lines'>): string {
  const header: ScoreHeader = { type: 'scores', version: 1, scorer };
  return [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
}

export interface ScoreFile {
  readonly header: ScoreHeader;
  readonly lines: readonly ScoreLine[];
}

function parseLine<T>(schema: z.ZodType<T>, line: string, place: string): T {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new ScoreFileError(`${place}: expected a JSON object`, { cause });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new ScoreFileError(`${place}, at ${issue?.path.join('.') || 'the top'}: ${issue?.message}`);
}

/** @param source the file's name, for messages. @throws ScoreFileError */
export function readScores(text: string, source: string): ScoreFile {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [first, ...rest] = lines;
  if (first === undefined)
    throw new ScoreFileError(`${source} is empty; expected a file that "parlor score" wrote`);
  return {
    header: parseLine(scoreHeaderSchema, first, `${source}, line 1`),
    lines: rest.map((line, index) => parseLine(scoreLineSchema, line, `${source}, line ${index + 2}`)),
  };
}

/** The judgements that a score file holds, by episode. */
export function judgementsIn({ header, lines }: ScoreFile): Map<string, Judgement> {
  const { judge } = header.scorer;
  return new Map(
    lines.map(({ episode, missing, turns }): [string, Judgement] => {
      if (missing !== null)
        return [
          episode,
          { status: 'missing', judge, reason: missing.reason as MissingReason, detail: missing.detail },
        ];
      const verdicts = turns.flatMap(({ turn, verdict, reason }) =>
        verdict === null ? [] : [{ turn, verdict, reason: reason ?? '' }],
      );
      return [episode, { status: 'judged', judge, verdicts }];
    }),
  );
}
