/** Rounded to 16 bits, shape [n]; what is beyond full scale stays at full scale. */
export function toPcm16(samples: Float32Array): Int16Array {
  const pcm = new Int16Array(samples.length);
  for (let i = 0; i < samples.length; i += 1)
    pcm[i] = Math.max(-32_768, Math.min(32_767, Math.floor((samples[i] as number) + 0.5)));
  return pcm;
}
