import { readFile, stat } from 'node:fs/promises';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describeError } from '../shared/index.js';
import { MathsProblemsError } from './errors.js';

/** DeepScaleR's 40,000 problems are a tenth of it; and what is read is held in memory. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
const MAX_PARQUET_ROWS = 2_000_000;
const MAGIC = 'PAR1';
const EXPECTED =
  'expected a JSON array, JSON lines (one object on each line) or Parquet, with problem and answer in each row';

/** What a parser says of a file may quote it: nothing of it reaches a terminal but its letters. */
const told = (cause: unknown): string => describeError(cause).replace(/[\p{Cc}\p{Cf}]+/gu, ' ');

const refused = (message: string, cause?: unknown): MathsProblemsError =>
  new MathsProblemsError(`cannot read the problems: ${message}; ${EXPECTED}`, { cause });

/** Where the parser says it stopped, as a line; '' when it does not say. */
function lineIn(text: string, cause: unknown): string {
  const position = /at position (\d+)/.exec(describeError(cause))?.[1];
  return position === undefined ? '' : `, on line ${text.slice(0, Number(position)).split('\n').length}`;
}

function rowsOfText(text: string): unknown[] {
  const start = text.search(/\S/);
  if (start < 0) throw refused('the file is empty');
  if (text[start] === '[')
    try {
      return JSON.parse(text) as unknown[];
    } catch (cause) {
      throw refused(`it begins like a JSON array, but is none${lineIn(text, cause)} (${told(cause)})`, cause);
    }
  return text.split('\n').flatMap((line, place): unknown[] => {
    if (line.trim() === '') return [];
    try {
      return [JSON.parse(line)];
    } catch (cause) {
      throw refused(`line ${place + 1} is no JSON (${told(cause)})`, cause);
    }
  });
}

async function rowsOfParquet(bytes: Buffer): Promise<unknown[]> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  let tooMany: number | null = null;
  try {
    const metadata = parquetMetadata(file);
    if (metadata.num_rows <= MAX_PARQUET_ROWS) return await parquetReadObjects({ file, metadata });
    tooMany = Number(metadata.num_rows);
  } catch (cause) {
    throw refused(`this Parquet file is damaged or cut off (${told(cause)})`, cause);
  }
  throw refused(`it says that it has ${tooMany} rows, more than ${MAX_PARQUET_ROWS}`);
}

/**
 * Rows of a JSON array, of JSON lines or of a Parquet file, whatever its name says: the content tells them apart.
 * @throws MathsProblemsError when the file cannot be read, is damaged or has no rows
 */
export async function readProblemRows(path: string): Promise<unknown[]> {
  let bytes: Buffer;
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES) throw new RangeError(`it has ${size} bytes, more than ${MAX_FILE_BYTES}`);
    bytes = await readFile(path);
  } catch (cause) {
    throw refused(told(cause), cause);
  }
  const isParquet = bytes.subarray(0, MAGIC.length).toString('latin1') === MAGIC;
  if (!isParquet && bytes.length > 0 && path.endsWith('.parquet'))
    throw refused('its name says Parquet, its content does not');
  const rows = isParquet
    ? await rowsOfParquet(bytes)
    : rowsOfText(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  if (rows.length === 0) throw refused('the file has no rows');
  return rows;
}
