import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeWav, type Pcm } from '../../src/audio/index.js';

const folder = join(import.meta.dirname, '../../audio-fixtures');

export interface AudioFixture {
  file: string;
  sha256: string;
  voice: { engineVoice: string; durationStretch: number; pitchMeanHz: number | null };
  /** What the clip says, as a person would write it. */
  transcript: string;
  spoken: string;
  durationMs: number;
  engine: string;
  wav: Uint8Array;
  clip: Pcm;
}

/** The clips of audio-fixtures/ with what its manifest says of each. */
export function readFixtures(): AudioFixture[] {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
    engine: string;
    clips: Omit<AudioFixture, 'wav' | 'clip' | 'engine'>[];
  };
  return manifest.clips.map((entry) => {
    const wav = readFileSync(join(folder, entry.file));
    return { ...entry, engine: manifest.engine, wav, clip: decodeWav(wav) };
  });
}
