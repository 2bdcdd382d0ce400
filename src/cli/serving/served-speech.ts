import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { createConditionedSpeaker, type Speaker } from '../../speech/index.js';
import { loadConditions } from '../running/load-conditions.js';
import { openSpeech } from '../running/speech.js';
import { checkStreamingVoices, checkStreamSpeech } from '../running/stream-speech.js';
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
  readonly streamSpeech?: true | undefined;
  readonly turnTaking?: true | undefined;
}

export async function openServedSpeech(
  { mode, conditions, voices, streamSpeech, turnTaking }: ServedSpeechOptions,
  { env, cwd }: Terminal,
): Promise<ServedSpeech> {
  const speaks = mode !== 'text';
  const heard = conditions === undefined || !speaks ? null : await loadConditions(conditions, cwd);
  checkStreamSpeech({
    streamSpeech,
    speaks,
    conditions: heard ?? undefined,
    turnTaking: turnTaking === true,
  });
  if (!speaks) return NO_SPEECH;
  const opened = await openSpeech(env, {
    workers: availableParallelism(),
    voicesDir: voices === undefined ? undefined : resolve(cwd, voices),
  });
  const { speaker: clean } = opened;
  try {
    checkStreamingVoices(streamSpeech, opened);
  } catch (error) {
    await clean.close();
    throw error;
  }
  return { clean, speaker: heard === null ? clean : createConditionedSpeaker(clean, heard) };
}
