import { type FileHandle, open } from 'node:fs/promises';
import { readScores, type ScoreHeader, type ScoreLine } from '../../scoring/index.js';
import { describeError } from '../../shared/index.js';
import { DatasetSourceError } from '../errors.js';

/** A score file whose lines stay on disk: a run of any size costs one place per episode. */
export interface ScoreIndex {
  readonly header: ScoreHeader;
  /** Null: the file does not score this episode. */
  lineOf(episode: string): Promise<ScoreLine | null>;
  close(): Promise<void>;
}

interface Place {
  readonly offset: number;
  readonly bytes: number;
}

const CHUNK_BYTES = 1 << 20;
const MAX_LINE_BYTES = 64 << 20;
const LINE_FEED = 10;

async function* linesOf(file: FileHandle, source: string): AsyncGenerator<Place & { readonly text: string }> {
  let rest = Buffer.alloc(0);
  let offset = 0;
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    rest = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
    if (rest.length > MAX_LINE_BYTES)
      throw new DatasetSourceError(
        `${source}: a line may have ${MAX_LINE_BYTES} bytes; this is no score file`,
      );
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
      yield { offset, bytes: end, text: rest.toString('utf8', 0, end) };
      offset += end + 1;
      rest = rest.subarray(end + 1);
    }
  }
  if (rest.length > 0) yield { offset, bytes: rest.length, text: rest.toString('utf8') };
}

/** @throws DatasetSourceError, ScoreFileError */
export async function openScores(path: string, source: string): Promise<ScoreIndex> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (cause) {
    throw new DatasetSourceError(`cannot read the scores ${source}: ${describeError(cause)}`, { cause });
  }
  try {
    const places = new Map<string, Place>();
    let first: string | null = null;
    for await (const { text, offset, bytes } of linesOf(file, source)) {
      if (text.trim() === '') continue;
      if (first === null) {
        first = text;
        readScores(first, source);
        continue;
      }
      // Every line is checked here once, so that a broken one is named before anything is written.
      const [line] = readScores(`${first}\n${text}`, source).lines;
      if (line !== undefined) places.set(line.episode, { offset, bytes });
    }
    const { header } = readScores(first ?? '', source);
    return {
      header,
      lineOf: async (episode) => {
        const place = places.get(episode);
        if (place === undefined) return null;
        const buffer = Buffer.alloc(place.bytes);
        await file.read(buffer, 0, place.bytes, place.offset);
        return readScores(`${first}\n${buffer.toString('utf8')}`, source).lines[0] ?? null;
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}
