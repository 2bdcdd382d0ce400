export { applyTimeline } from './effects/apply-timeline.js';
export {
  type Conditions,
  conditionsSchema,
  type LineTimeline,
  lineTimelineSchema,
  type TimelineEntry,
} from './effects/conditions.js';
export type { LineVoices } from './effects/line-voices.js';
export { conditionPresets, findConditions, parseConditions, settleConditions } from './effects/presets.js';
export { type RenderedLine, renderLine } from './effects/render-line.js';
export { readVoiceTasks, type VoiceTask, type VoiceTasks } from './effects/voice-tasks.js';
export { AudioFormatError, ConditionsError, TimelineError } from './errors.js';
export { decodeImaAdpcm, encodeImaAdpcm, imaAdpcmDecoderScript } from './ima-adpcm.js';
export { measureEdgeSilence, measureLevel } from './level.js';
export { decodeMuLaw, encodeMuLaw } from './mu-law.js';
export { type Pcm, pcmDurationMs } from './pcm.js';
export { resample } from './resample/resample.js';
export { createResampler, type Resampler } from './resample/resampler.js';
export { decodeWav, encodeWav } from './wav.js';
