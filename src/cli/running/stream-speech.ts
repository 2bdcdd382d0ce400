import { type Conditions, changesNothing } from '../../audio/index.js';
import { UsageError } from '../../shared/index.js';
import type { OpenSpeech } from './speech.js';

/** `run` and `serve` have it. */
export const STREAM_SPEECH = [
  '--stream-speech',
  'agents hear a line while a speech server still makes it; changes no record (docs/speech.md)',
] as const;

interface StreamedRun {
  readonly streamSpeech?: true | undefined;
  readonly speaks: boolean;
  readonly conditions?: Conditions | undefined;
  readonly voiceTasks?: boolean | undefined;
  readonly turnTaking: boolean;
}

/** @throws UsageError for `--stream-speech` beside what has to have the whole line. */
export function checkStreamSpeech(run: StreamedRun): void {
  const { streamSpeech, speaks, conditions, voiceTasks = false, turnTaking } = run;
  if (streamSpeech !== true) return;
  if (!speaks)
    throw new UsageError('bad-option', '--stream-speech is about speech, so it needs a mode that speaks');
  const heard = conditions !== undefined && !changesNothing(conditions) ? '--conditions' : null;
  const other = voiceTasks ? '--voice-tasks' : (heard ?? (turnTaking ? '--turn-taking' : null));
  if (other === null) return;
  throw new UsageError(
    'bad-option',
    `--stream-speech sends a line before it is whole, and ${other} needs the whole line first; give one of them`,
  );
}

/** @throws UsageError where no voice could do it. */
export function checkStreamingVoices(
  streamSpeech: true | undefined,
  { servers }: Pick<OpenSpeech, 'servers'>,
): void {
  if (streamSpeech !== true || servers.length > 0) return;
  throw new UsageError(
    'bad-option',
    '--stream-speech needs a voice of engine "speech-server", which is heard while its line is made; name a folder with one by --voices',
  );
}
