export { asyncApiDocument } from './async-api.js';
export * from './audio-format.js';
export {
  AUDIO_HEADER_BYTES,
  type AudioFrame,
  BadAudioFrameError,
  decodeAudioFrame,
  encodeAudioFrame,
  pcm16FromBytes,
  pcm16ToBytes,
  writeAudioHeader,
} from './audio-frame.js';
export { AUDIO_FRAME_FIELDS } from './audio-frame-layout.js';
export * from './client-messages.js';
export { CLOSE_CODES } from './close-codes.js';
export type { Dial, DialClient, DialLine } from './dial.js';
export * from './ends.js';
export * from './hello.js';
export { protocolJsonSchemas } from './json-schema.js';
export * from './server-events.js';
export * from './turn-taking.js';
export * from './word-times.js';
