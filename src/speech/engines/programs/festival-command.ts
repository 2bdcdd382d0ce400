import { VoiceNeedsError } from '../../errors.js';
import type { SpeakingProgram } from './program-synthesizer.js';

/** Festival's `text2wave`, with whatever voices are installed for it; a process takes a second or more to start. */
export const FESTIVAL_COMMAND: SpeakingProgram = {
  ...{ engine: 'festival', command: 'text2wave' },
  install: 'Debian: apt install festival festvox-kallpc16k',
  // The script has no version of its own; it evaluates what it is given before it reads.
  versionArgs: ['-eval', '(begin (format t "%s" festival_version) (quit))'],
  version: /(\d+(?:\.\d+)+)/,
  argsFor: ({ id, engineVoice, durationStretch, pitchMeanHz }) => {
    if (!/^[a-z][a-z0-9_]*$/.test(engineVoice) || pitchMeanHz !== null)
      throw new VoiceNeedsError(
        `voice '${id}': expected a voice of festival such as kal_diphone, and null as its pitch; got '${engineVoice}'`,
      );
    if (durationStretch !== 1 && engineVoice.endsWith('_hts'))
      throw new VoiceNeedsError(
        `voice '${id}': festival speaks ${engineVoice} at its own pace only; set durationStretch to 1`,
      );
    return [
      ...['-eval', `(voice_${engineVoice})`],
      ...['-eval', `(Parameter.set 'Duration_Stretch ${durationStretch})`],
    ];
  },
  inputFor: (text) => text,
};
