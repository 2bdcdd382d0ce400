/** Formants of an "ah" (Peterson and Barney, 1952) and their widths, Hz. */
const FORMANTS = [
  [700, 80],
  [1220, 90],
  [2600, 120],
] as const;
const RATE_HZ = 16_000;
const PEAK = 0.5;

/** Two seconds at 16 kHz, amplitude -1 to 1: half a second of silence, four syllables "ah", half a second of silence. */
export function testVowel(): Float32Array {
  const samples = new Float32Array(2 * RATE_HZ);
  let phase = 0;
  for (let i = 0; i < samples.length; i += 1) {
    const t = i / RATE_HZ;
    const syllable = t > 0.5 && t < 1.5 ? Math.max(0, Math.sin(2 * Math.PI * 4 * t)) : 0;
    phase += (120 + 15 * Math.sin(2 * Math.PI * 1.5 * t)) / RATE_HZ;
    if (phase < 1) continue;
    phase -= 1;
    samples[i] = syllable;
  }
  for (const [frequencyHz, widthHz] of FORMANTS) resonate(samples, frequencyHz, widthHz);
  let peak = 0;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  return samples.map((sample) => (sample * PEAK) / peak);
}

function resonate(samples: Float32Array, frequencyHz: number, widthHz: number): void {
  const radius = Math.exp((-Math.PI * widthHz) / RATE_HZ);
  const a = 2 * radius * Math.cos((2 * Math.PI * frequencyHz) / RATE_HZ);
  const b = -radius * radius;
  let last = 0;
  let before = 0;
  for (let i = 0; i < samples.length; i += 1) {
    const out = (samples[i] as number) * (1 - a - b) + a * last + b * before;
    before = last;
    last = out;
    samples[i] = out;
  }
}
