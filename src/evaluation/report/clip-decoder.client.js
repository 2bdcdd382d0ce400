// Turns the clips that are embedded in the page into WAV files the browser can play. Runs in the page; no imports.
// The encoders are in src/audio; tests/evaluation/report/clip-decoder.test.ts holds the two sides together.

const STEP_SIZES = [
  7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97,
  107, 118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724,
  796, 876, 963, 1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026,
  4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500,
  20350, 22385, 24623, 27086, 29794, 32767,
];
const INDEX_SHIFTS = [-1, -1, -1, -1, 2, 4, 6, 8];

/** One continuous IMA ADPCM stream, low nibble first, from predictor 0 and step index 0. */
function decodeImaAdpcm(bytes, sampleCount) {
  const samples = new Int16Array(sampleCount);
  let predictor = 0;
  let index = 0;
  for (let i = 0; i < sampleCount; i += 1) {
    const nibble = i % 2 === 0 ? bytes[i >> 1] & 15 : bytes[i >> 1] >> 4;
    const step = STEP_SIZES[index];
    let change = step >> 3;
    if (nibble & 1) change += step >> 2;
    if (nibble & 2) change += step >> 1;
    if (nibble & 4) change += step;
    predictor += nibble & 8 ? -change : change;
    predictor = Math.max(-32768, Math.min(32767, predictor));
    index = Math.max(0, Math.min(88, index + INDEX_SHIFTS[nibble & 7]));
    samples[i] = predictor;
  }
  return samples;
}

function decodePcm16(bytes, sampleCount) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Int16Array.from({ length: sampleCount }, (_, i) => view.getInt16(2 * i, true));
}

export function decodeClip(codec, bytes, sampleCount) {
  if (codec === 'ima-adpcm') return decodeImaAdpcm(bytes, sampleCount);
  if (codec === 'pcm16') return decodePcm16(bytes, sampleCount);
  throw new Error(`this page cannot decode "${codec}"`);
}

/** A WAV file: 44 bytes of header and mono PCM16. */
export function toWav(samples, sampleRateHz) {
  const buffer = new ArrayBuffer(44 + 2 * samples.length);
  const view = new DataView(buffer);
  const ascii = (offset, text) => {
    for (let i = 0; i < text.length; i += 1) view.setUint8(offset + i, text.charCodeAt(i));
  };
  ascii(0, 'RIFF');
  view.setUint32(4, 36 + 2 * samples.length, true);
  ascii(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRateHz, true);
  view.setUint32(28, 2 * sampleRateHz, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  ascii(36, 'data');
  view.setUint32(40, 2 * samples.length, true);
  samples.forEach((sample, i) => {
    view.setInt16(44 + 2 * i, sample, true);
  });
  return buffer;
}
