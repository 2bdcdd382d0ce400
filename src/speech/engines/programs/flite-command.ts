import { VoiceNeedsError } from '../../errors.js';
import type { SpeakingProgram } from './program-synthesizer.js';

/** An unknown voice would be spoken by `kal`, at 8 kHz and without a word. */
const VOICES = ['awb', 'kal', 'kal16', 'rms', 'slt'];

/** CMU Flite as the user's own program; the embedded engine has the same voices, but not the same samples. */
export const FLITE_COMMAND: SpeakingProgram = {
  ...{ engine: 'flite', command: 'flite', install: 'Debian: apt install flite' },
  versionArgs: ['--version'],
  version: /flite-(\d+(?:\.\d+)*)/,
  argsFor: ({ id, engineVoice, durationStretch, pitchMeanHz }, text, out) => {
    if (!VOICES.includes(engineVoice))
      throw new VoiceNeedsError(
        `voice '${id}': expected a voice of flite (${VOICES.join(', ')}); got '${engineVoice}'`,
      );
    return [
      ...['-voice', engineVoice, '--setf', `duration_stretch=${durationStretch}`],
      ...(pitchMeanHz === null ? [] : ['--setf', `int_f0_target_mean=${pitchMeanHz}`]),
      ...['-t', text, '-o', out],
    ];
  },
  inputFor: () => '',
};
