export { decodeALaw, encodeALaw } from './a-law.js';
export { applyTimeline } from './effects/apply-timeline.js';
export {
  type Conditions,
  conditionsSchema,
  type LineTimeline,
  lineTimelineSchema,
} from './effects/conditions.js';
export type { LineVoices } from './effects/line-voices.js';
export { onTimeline } from './effects/on-timeline.js';
export {
  changesNothing,
  conditionPresets,
  findConditions,
  parseConditions,
  settleConditions,
} from './effects/presets.js';
export { renderLine } from './effects/render-line.js';
export { readVoiceTasks } from './effects/voice-tasks.js';
export {
  AudioFormatError,
  ConditionsError,
  FfmpegMissingError,
  TimelineError,
  VoiceDetectorError,
} from './errors.js';
export { sniffAudioFormat } from './formats/audio-format.js';
export { decodeAudio, encodeAudio } from './formats/coded-audio.js';
export { findFfmpeg } from './formats/find-ffmpeg.js';
export { decodeWav, encodeStereoWav, encodeWav, encodeWavAt } from './formats/wav.js';
export { readWavHead } from './formats/wav-chunks.js';
export { decodeImaAdpcm, encodeImaAdpcm, imaAdpcmDecoderScript } from './ima-adpcm.js';
export { measureEdgeSilence, measureLevel } from './level.js';
export { decodeMuLaw, encodeMuLaw } from './mu-law.js';
export { type Pcm, pcmDurationMs } from './pcm.js';
export { drawCallPicture } from './recording/call-picture.js';
export { formatAudacityLabels } from './recording/labels.js';
export { encodePng } from './recording/png.js';
export { drawSpectrogram } from './recording/spectrogram.js';
export { mixCall } from './recording/stereo-call.js';
export { resample } from './resample/resample.js';
export { createResampler } from './resample/resampler.js';
export { createEnergyDetector } from './voice-activity/detectors/energy-detector.js';
export { createSileroDetector } from './voice-activity/detectors/silero-detector.js';
export { createWebRtcDetector } from './voice-activity/detectors/webrtc-detector.js';
export {
  findSpeech,
  stretchesOf,
  trimToSpeech,
} from './voice-activity/find-speech.js';
export { createSpeechEdges, type SpeechEdges } from './voice-activity/speech-edges.js';
export { measureTalkOver } from './voice-activity/talk-over.js';
export type { VoiceDetector, VoiceStream } from './voice-activity/voice-activity.js';
