// IMA ADPCM (blocks of 505 samples in 256 bytes) to 16-bit PCM: the twin of decodeImaAdpcm in ima-adpcm.ts, for a page.
// biome-ignore lint/correctness/noUnusedVariables: the page that embeds this script calls it
function decodeImaAdpcm(bytes, sampleCount) {
  // biome-ignore format: a table reads best in rows
  const steps = [
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107, 118, 130,
    143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963, 1060, 1166, 1282, 1411,
    1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630, 9493, 10442,
    11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767,
  ];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = new Int16Array(sampleCount);
  for (let start = 0, at = 0; start < sampleCount; start += 505, at += 256) {
    let value = view.getInt16(at, true);
    let index = Math.min(88, bytes[at + 2]);
    samples[start] = value;
    for (let i = 0; i < 504 && start + 1 + i < sampleCount; i += 1) {
      const code = (bytes[at + 4 + (i >> 1)] >> (i & 1 ? 4 : 0)) & 15;
      const step = steps[index];
      let change = step >> 3;
      if (code & 4) change += step;
      if (code & 2) change += step >> 1;
      if (code & 1) change += step >> 2;
      value = Math.max(-32768, Math.min(32767, code & 8 ? value - change : value + change));
      index = Math.max(0, Math.min(88, index + [-1, -1, -1, -1, 2, 4, 6, 8][code & 7]));
      samples[start + 1 + i] = value;
    }
  }
  return samples;
}
