export {
  AUDIO_HEADER_BYTES,
  type AudioFrame,
  BadAudioFrameError,
  decodeAudioFrame,
  encodeAudioFrame,
} from './audio-frame.js';
export * from './messages.js';
