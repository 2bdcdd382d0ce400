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
export { AudioFormatError, ConditionsError, FfmpegMissingError, TimelineError } from './errors.js';
export { type AudioFormat, sniffAudioFormat } from './formats/audio-format.js';
export { decodeAudio, encodeAudio } from './formats/coded-audio.js';
export { findFfmpeg } from './formats/find-ffmpeg.js';
export { decodeWav, encodeWav, encodeWavAt } from './formats/wav.js';
export { decodeImaAdpcm, encodeImaAdpcm, imaAdpcmDecoderScript } from './ima-adpcm.js';
export { measureEdgeSilence, measureLevel } from './level.js';
export { decodeMuLaw, encodeMuLaw } from './mu-law.js';
export { type Pcm, pcmDurationMs } from './pcm.js';
export { resample } from './resample/resample.js';
export { createResampler, type Resampler } from './resample/resampler.js';
