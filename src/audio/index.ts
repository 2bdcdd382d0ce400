export { AudioFormatError } from './errors.js';
export { decodeImaAdpcm, encodeImaAdpcm, imaAdpcmDecoderScript } from './ima-adpcm.js';
export { measureEdgeSilence, measureLevel } from './level.js';
export { decodeMuLaw, encodeMuLaw } from './mu-law.js';
export { type Pcm, pcmDurationMs } from './pcm.js';
export { resample } from './resample/resample.js';
export { createResampler, type Resampler } from './resample/resampler.js';
export { decodeWav, encodeWav } from './wav.js';
