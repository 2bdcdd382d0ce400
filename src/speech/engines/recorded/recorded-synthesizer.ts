import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { decodeWav } from '../../../audio/index.js';
import { describeError, sha256Hex } from '../../../shared/index.js';
import { RecordedLineMissingError, SpeechClosedError, VoiceNeedsError } from '../../errors.js';
import type { Synthesizer, Voice } from '../../synthesizer.js';
import { audibleClip, sayableText } from '../audible-clip.js';

const LINES_FILE = 'lines.json';
const MAX_LINES_BYTES = 50_000_000;
const linesSchema = z.array(
  z.strictObject({
    text: z.string().min(1),
    file: z.string().refine((file) => file === basename(file) && !file.startsWith('.'), {
      message: 'expected the name of a WAV file beside lines.json',
    }),
  }),
);

interface Recordings {
  readonly folder: string;
  /** SHA-256 of the list. */
  readonly hash: string;
  readonly files: ReadonlyMap<string, string>;
}

/** Case, punctuation and spacing do not matter: a recording of "Yes please." is one of "yes, please". */
function keyOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []).join(' ');
}

async function readRecordings(folder: string): Promise<Recordings> {
  const path = join(folder, LINES_FILE);
  try {
    const text = await readFile(path, 'utf8');
    if (text.length > MAX_LINES_BYTES) throw new RangeError(`more than ${MAX_LINES_BYTES} characters`);
    const lines = linesSchema.parse(JSON.parse(text));
    return {
      folder,
      hash: sha256Hex(text),
      files: new Map(lines.map((line) => [keyOf(line.text), line.file])),
    };
  } catch (error) {
    throw new VoiceNeedsError(
      `expected recordings listed in ${path} as [{"text": spoken form, "file": "a.wav"}]: ${describeError(error)}`,
      error,
    );
  }
}

/** Replays a folder of recordings, found by what is said in them. A line that nobody recorded is a `RecordedLineMissingError`. */
export function createRecordedSynthesizer({ voicesDir }: { readonly voicesDir: string }): Synthesizer {
  const opened = new Map<string, Promise<Recordings>>();
  const open = (voice: Voice): Promise<Recordings> => {
    const folder = join(voicesDir, voice.engineVoice);
    const found = opened.get(folder) ?? readRecordings(folder);
    opened.set(folder, found);
    return found;
  };
  let closed = false;
  return {
    name: 'recorded/1',
    identify: async (voice) => `recordings ${(await open(voice)).hash.slice(0, 12)}`,
    async synthesize({ spoken, voice }) {
      if (closed) throw new SpeechClosedError();
      const key = keyOf(sayableText(spoken));
      const { folder, files } = await open(voice);
      const file = files.get(key);
      if (file === undefined) throw new RecordedLineMissingError(folder, spoken);
      const path = join(folder, file);
      let bytes: Uint8Array;
      try {
        bytes = await readFile(path);
      } catch (error) {
        throw new VoiceNeedsError(`cannot read the recording ${path}: ${describeError(error)}`, error);
      }
      return audibleClip(decodeWav(bytes), spoken, path);
    },
    async close() {
      closed = true;
    },
  };
}
