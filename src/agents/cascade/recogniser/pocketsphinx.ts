import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { resample } from '../../../audio/index.js';
import { createRandom, sha256Hex, UsageError } from '../../../shared/index.js';
import { RecogniserError } from '../../errors.js';
import { type Catalogue, makeCorpus, namePairs } from './language/corpus.js';
import { pronunciationsFor } from './language/pronunciations.js';
import { trigramModel } from './language/trigrams.js';
import type { Recogniser } from './recogniser.js';

const PROGRAM = 'pocketsphinx_batch';
const RATE_HZ = 16_000;
/** Where packages put the acoustic model for American English. */
const MODEL_FOLDERS = [
  '/usr/share/pocketsphinx/model/en-us',
  '/usr/local/share/pocketsphinx/model/en-us',
  '/opt/homebrew/share/pocketsphinx/model/en-us',
];
const ACOUSTIC = 'en-us';
const DICTIONARY = 'cmudict-en-us.dict';
const CORPUS_SEED = 1;
/** Many differ in nothing but a pause. */
const GUESSES = 60;
const MOST_ERROR_TEXT = 400;

export interface PocketsphinxOptions {
  readonly catalogue: Catalogue;
  /** The PATH to look for the program in. */
  readonly path: string;
  readonly modelFolders?: readonly string[] | undefined;
}

interface Language {
  readonly lm: string;
  readonly dict: string;
  readonly hash: string;
}

function missing(what: string): UsageError {
  return new UsageError(
    'recogniser-missing',
    `this agent listens with pocketsphinx, and ${what} is not here: apt-get install pocketsphinx pocketsphinx-en-us (or give --transcriber-url, or --mode text to let it read)`,
  );
}

/** The language model and dictionary as files, made once for a catalogue and kept among the temporary files. */
async function writeLanguage(catalogue: Catalogue, dictionary: string): Promise<Language> {
  const corpus = makeCorpus(catalogue, createRandom(CORPUS_SEED));
  const wanted = new Set(corpus.flatMap((sentence) => sentence.split(' ')));
  const { words, text } = pronunciationsFor(wanted, dictionary);
  const model = trigramModel(corpus, { vocabulary: words, pairs: namePairs() });
  const hash = sha256Hex(`${model}\n${text}`).slice(0, 12);
  const folder = join(tmpdir(), `parlor-recogniser-${hash}`);
  if (!existsSync(folder)) {
    const fresh = await mkdtemp(`${folder}-`);
    await writeFile(join(fresh, 'shop.lm'), model);
    await writeFile(join(fresh, 'shop.dict'), text);
    await rename(fresh, folder).catch(() => rm(fresh, { recursive: true, force: true }));
  }
  return { lm: join(folder, 'shop.lm'), dict: join(folder, 'shop.dict'), hash };
}

/** One guess a line, its score behind it. No file: there was nothing to guess. */
async function readGuesses(path: string): Promise<string[]> {
  if (!existsSync(path)) return [];
  const lines = (await readFile(path, 'utf8')).split('\n');
  return [...new Set(lines.map((line) => line.replace(/\s+-?\d+\s*$/, '').trim()))].filter(
    (line) => line !== '',
  );
}

function run(program: string, args: readonly string[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], signal });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = `${errors}${text}`.slice(-MOST_ERROR_TEXT);
    });
    child.once('error', (cause) =>
      reject(new RecogniserError(`${PROGRAM} did not run: ${cause.message}`, { cause })),
    );
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new RecogniserError(`${PROGRAM} ended with code ${code}: ${errors.trim()}`));
    });
  });
}

/**
 * CMU pocketsphinx, started as a program for each utterance: nothing of one utterance carries over into the next, so that
 * the same sound always gives the same words. Its language model is made from the shop's catalogue and common phrases.
 * @throws UsageError `recogniser-missing` with the command that installs it
 */
export async function createPocketsphinx(options: PocketsphinxOptions): Promise<Recogniser> {
  const program = options.path
    .split(delimiter)
    .map((folder) => join(folder, PROGRAM))
    .find((file) => existsSync(file));
  if (program === undefined) throw missing('the program');
  const models = (options.modelFolders ?? MODEL_FOLDERS).find((folder) =>
    existsSync(join(folder, DICTIONARY)),
  );
  if (models === undefined) throw missing('its model of American English');
  const { lm, dict, hash } = await writeLanguage(
    options.catalogue,
    await readFile(join(models, DICTIONARY), 'utf8'),
  );
  return {
    name: `pocketsphinx en-us, language ${hash}`,
    recognise: async ({ samples, sampleRateHz }, signal) => {
      const folder = await mkdtemp(join(tmpdir(), 'parlor-hear-'));
      try {
        const sound = resample(samples, sampleRateHz, RATE_HZ);
        await writeFile(
          join(folder, 'a.raw'),
          new Uint8Array(sound.buffer, sound.byteOffset, sound.byteLength),
        );
        await writeFile(join(folder, 'ctl'), 'a\n');
        const hyp = join(folder, 'hyp');
        const args = {
          ...{ hmm: join(models, ACOUSTIC), lm, dict, hyp, ctl: join(folder, 'ctl') },
          ...{ cepdir: folder, cepext: '.raw', adcin: 'yes', logfn: '/dev/null' },
          ...{ nbest: String(GUESSES), nbestdir: folder, nbestext: '.guesses' },
        };
        await run(
          program,
          Object.entries(args).flatMap(([name, value]) => [`-${name}`, value]),
          signal,
        );
        const text = (await readFile(hyp, 'utf8')).replace(/\s*\([^()]*\)\s*$/, '').trim();
        return { text, others: await readGuesses(join(folder, 'a.guesses')) };
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}
