export {
  AUDIO_HEADER_BYTES,
  type AudioFrame,
  BadAudioFrameError,
  decodeAudioFrame,
  encodeAudioFrame,
} from './audio-frame.js';
export { CLOSE_CODES } from './close-codes.js';
export * from './messages.js';
