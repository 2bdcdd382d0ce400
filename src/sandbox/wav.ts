import type { Clip } from '../speech/index.js';

/** A PCM16 mono WAV file with the plain 44-byte header. */
export function encodeWav(clip: Clip): Uint8Array {
  const dataBytes = clip.samples.length * 2;
  const wav = Buffer.alloc(44 + dataBytes);
  wav.write('RIFF', 0, 'ascii');
  wav.writeUInt32LE(36 + dataBytes, 4);
  wav.write('WAVEfmt ', 8, 'ascii');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(clip.sampleRateHz, 24);
  wav.writeUInt32LE(clip.sampleRateHz * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36, 'ascii');
  wav.writeUInt32LE(dataBytes, 40);
  clip.samples.forEach((sample, index) => {
    wav.writeInt16LE(sample, 44 + index * 2);
  });
  return wav;
}
