import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { createConditionedSpeaker, type Speaker } from '../../speech/index.js';
import { loadConditions } from '../running/load-conditions.js';
import { openSpeech } from '../running/speech.js';
import type { Terminal } from '../terminal.js';

export interface ServedSpeech {
  /** Null: this server offers text only. */
  readonly speaker: Speaker | null;
  /** Before the line and the room do anything to it: other conditions can be put upon it. */
  readonly clean: Speaker | null;
}

export const NO_SPEECH: ServedSpeech = { speaker: null, clean: null };

export interface ServedSpeechOptions {
  readonly mode: 'both' | 'text';
  readonly conditions?: string | undefined;
  readonly voices?: string | undefined;
}

export async function openServedSpeech(
  { mode, conditions, voices }: ServedSpeechOptions,
  { env, cwd }: Terminal,
): Promise<ServedSpeech> {
  if (mode === 'text') return NO_SPEECH;
  const heard = conditions === undefined ? null : await loadConditions(conditions, cwd);
  const { speaker: clean } = await openSpeech(env, {
    workers: availableParallelism(),
    voicesDir: voices === undefined ? undefined : resolve(cwd, voices),
  });
  return { clean, speaker: heard === null ? clean : createConditionedSpeaker(clean, heard) };
}
