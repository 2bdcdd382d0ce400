/** Uniform white noise in [-1, 1), shape [n]: xorshift32 (G. Marsaglia, 2003), integers only, so alike on every machine. */
export function whiteNoise(length: number, seed: number): Float32Array {
  const noise = new Float32Array(length);
  let state = (seed ^ 0x9e3779b9) | 0 || 0x6d2b79f5;
  for (let i = 0; i < length; i += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    noise[i] = state / 2147483648;
  }
  return noise;
}
