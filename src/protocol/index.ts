export * from './audio-format.js';
export {
  AUDIO_HEADER_BYTES,
  type AudioFrame,
  BadAudioFrameError,
  decodeAudioFrame,
  encodeAudioFrame,
  pcm16FromBytes,
  pcm16ToBytes,
} from './audio-frame.js';
export * from './client-messages.js';
export { CLOSE_CODES } from './close-codes.js';
export * from './ends.js';
export * from './hello.js';
export * from './server-events.js';
