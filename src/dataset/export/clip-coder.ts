import { decodeWav, encodeAudio } from '../../audio/index.js';
import { sha256Hex } from '../../shared/index.js';

export const CLIP_FORMATS = ['wav', 'flac', 'opus'] as const;
export type ClipFormat = (typeof CLIP_FORMATS)[number];

/** A clip as it stands in a dataset. */
export interface CodedClip {
  readonly bytes: Uint8Array;
  /** Of these bytes: the name of its file. */
  readonly sha256: string;
}

/** Makes a dataset's clips of a run's WAV files. */
export interface ClipCoder {
  readonly format: ClipFormat;
  /** @param sha256 of the WAV file */
  code(sha256: string, wav: Uint8Array): Promise<CodedClip>;
}

const KEPT_BYTES = 48 << 20;

/** Clips as they are in the run. */
export const WAV_CLIPS: ClipCoder = { format: 'wav', code: async (sha256, bytes) => ({ sha256, bytes }) };

/**
 * FLAC (nothing is lost) or Opus (at 32 kbit/s) by ffmpeg; what was coded last is kept, for rollouts of a group share clips.
 * Rejects with `FfmpegMissingError` at once where there is no ffmpeg, not after the first rows.
 */
export async function openClipCoder(format: ClipFormat, ffmpegPath: string | null): Promise<ClipCoder> {
  if (format === 'wav') return WAV_CLIPS;
  await encodeAudio({ sampleRateHz: 16_000, samples: new Int16Array(1600) }, format, { ffmpegPath });
  const kept = new Map<string, CodedClip>();
  let bytes = 0;
  return {
    format,
    code: async (sha256, wav) => {
      const known = kept.get(sha256);
      if (known !== undefined) return known;
      const coded = await encodeAudio(decodeWav(wav), format, { ffmpegPath });
      const clip = { bytes: coded, sha256: sha256Hex(coded) };
      if (!kept.has(sha256)) bytes += coded.length;
      kept.set(sha256, clip);
      for (const [oldest, { bytes: own }] of kept) {
        if (bytes <= KEPT_BYTES) break;
        kept.delete(oldest);
        bytes -= own.length;
      }
      return clip;
    },
  };
}
