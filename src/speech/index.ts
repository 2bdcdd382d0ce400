export { lineTimelineSchema } from '../audio/index.js';
export { createConditionedSpeaker, createTaskConditionedSpeaker } from './conditioned-speaker.js';
export { createFliteSynthesizer } from './engines/flite/flite-synthesizer.js';
export { listServerVoices } from './engines/server/list-voices.js';
export { createToneSynthesizer } from './engines/tone/tone-synthesizer.js';
export { createVoiceEngines } from './engines/voice-engines.js';
export {
  ClipCacheError,
  RecordedLineMissingError,
  SpeechBrokenOffError,
  SpeechClosedError,
  SpeechServerError,
  SynthesisError,
  SynthesisQueueFullError,
  SynthesisTimeoutError,
  SynthesisWorkerError,
  UnknownVoiceError,
  VoiceFileError,
  VoiceNeedsError,
} from './errors.js';
export type { GrowingClip } from './growing-clip.js';
export { createSpeaker, type GrowingLine, type Speaker, type SpokenLine } from './speaker.js';
export { SPELL_STYLES, type SpellStyle, spellOut } from './spoken-form/spell-out.js';
export { toSpokenForm } from './spoken-form/spoken-form.js';
export type { Clip, Synthesizer, Voice } from './synthesizer.js';
export { defaultVoicesDir, findVoice, loadVoices } from './voices.js';
export { wavBytes } from './wav-bytes.js';
export { areInOrder, moveWords, spokenWords, type WordTime } from './word-times.js';
