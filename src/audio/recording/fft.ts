/**
 * Power spectra by the fast Fourier transform (J. Cooley and J. Tukey, 1965; radix 2, in place). `size` is a power of two; the
 * returned function takes a frame of shape [size] and writes |X|² of the bins 0 to size/2 - 1.
 */
export function createPowerSpectrum(size: number): (frame: Float32Array, power: Float32Array) => void {
  const real = new Float64Array(size);
  const imaginary = new Float64Array(size);
  const cosines = Float64Array.from({ length: size / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / size));
  const sines = Float64Array.from({ length: size / 2 }, (_, i) => Math.sin((2 * Math.PI * i) / size));
  const bits = Math.log2(size);
  const reversed = Uint32Array.from({ length: size }, (_, i) => {
    let place = 0;
    for (let bit = 0; bit < bits; bit += 1) if (i & (1 << bit)) place |= 1 << (bits - 1 - bit);
    return place;
  });
  return (frame, power) => {
    for (let i = 0; i < size; i += 1) {
      real[i] = frame[reversed[i] as number] as number;
      imaginary[i] = 0;
    }
    for (let half = 1; half < size; half *= 2) {
      const stride = size / (2 * half);
      for (let start = 0; start < size; start += 2 * half) {
        for (let k = 0; k < half; k += 1) {
          const cosine = cosines[k * stride] as number;
          const sine = sines[k * stride] as number;
          const [low, high] = [start + k, start + k + half];
          const r = (real[high] as number) * cosine + (imaginary[high] as number) * sine;
          const i = (imaginary[high] as number) * cosine - (real[high] as number) * sine;
          real[high] = (real[low] as number) - r;
          imaginary[high] = (imaginary[low] as number) - i;
          real[low] = (real[low] as number) + r;
          imaginary[low] = (imaginary[low] as number) + i;
        }
      }
    }
    for (let bin = 0; bin < size / 2; bin += 1)
      power[bin] = (real[bin] as number) ** 2 + (imaginary[bin] as number) ** 2;
  };
}
