import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type ChatClient, createRecordedChat } from '../../models/index.js';
import { createFolderCache, createModelJudge, createRuleJudge, type Judge } from '../../scoring/index.js';
import { describeError, UsageError } from '../../shared/index.js';
import type { ServerFlags } from '../models/model-flags.js';
import { openModels } from '../models/open-models.js';
import type { Terminal } from '../terminal.js';

export interface JudgeFlags extends ServerFlags {
  readonly judge: 'rules' | 'model';
}

const MODEL_FLAGS = ['baseUrl', 'model', 'replay', 'record'] as const;

/** @param what for the message, e.g. "the scores" */
export async function readGiven(name: string, what: string, terminal: Terminal): Promise<string> {
  try {
    return await readFile(resolve(terminal.cwd, name), 'utf8');
  } catch (cause) {
    throw new UsageError('file-unreadable', `cannot read ${what} ${name}: ${describeError(cause)}`, {
      cause,
    });
  }
}

/** A recording is given as its file, or as the folder that `--record` made. */
async function openClient(flags: JudgeFlags, terminal: Terminal): Promise<ChatClient> {
  const { replay } = flags;
  if (replay !== undefined) {
    const isFolder = await stat(resolve(terminal.cwd, replay)).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isFolder) return createRecordedChat(await readGiven(replay, 'the recording', terminal), replay);
  }
  return openModels(terminal).open('judge', flags);
}

/** The judge that the flags ask for; a model's judgements are cached in the run folder. */
export async function openJudge(dir: string, flags: JudgeFlags, terminal: Terminal): Promise<Judge> {
  if (flags.judge === 'rules') {
    const given = MODEL_FLAGS.find((name) => flags[name] !== undefined);
    if (given !== undefined)
      throw new UsageError(
        'judge-replay',
        `--${given === 'baseUrl' ? 'base-url' : given} is for --judge model; the rule judge asks no model`,
      );
    return createRuleJudge();
  }
  if (flags.replay === undefined && (flags.baseUrl === undefined || flags.model === undefined))
    throw new UsageError(
      'judge-model',
      '--judge model needs --base-url URL and --model NAME, or --replay with a recording. "--judge rules" needs no model',
    );
  const client = await openClient(flags, terminal);
  return createModelJudge({
    client,
    // The client limits and repeats single tries by itself; this is for all of them and the waiting between.
    retries: 0,
    timeoutMs: ((flags.timeout ?? 120) * ((flags.retries ?? 4) + 1) + 60) * 1000,
    concurrency: flags.maxRequests,
    cache: createFolderCache(join(dir, 'scores', 'cache')),
  });
}
