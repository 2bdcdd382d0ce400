/** Formats of audio files; WAV is read and written here, the others by ffmpeg. */
export const AUDIO_FORMATS = ['wav', 'mp3', 'opus', 'flac'] as const;
export type AudioFormat = (typeof AUDIO_FORMATS)[number];
export type CodedFormat = Exclude<AudioFormat, 'wav'>;

const startsWith = (bytes: Uint8Array, text: string): boolean =>
  bytes.length >= text.length && [...text].every((letter, i) => bytes[i] === letter.charCodeAt(0));

/** The format by the file's first bytes, never by its name; null if it is none of these. */
export function sniffAudioFormat(bytes: Uint8Array): AudioFormat | null {
  if (startsWith(bytes, 'RIFF') || startsWith(bytes, 'RIFX')) return 'wav';
  if (startsWith(bytes, 'fLaC')) return 'flac';
  if (startsWith(bytes, 'OggS')) return 'opus';
  if (startsWith(bytes, 'ID3')) return 'mp3';
  const [first, second] = bytes;
  // An MPEG frame starts with eleven ones; layer III has the bits 01.
  if (first === 0xff && second !== undefined && (second & 0xe6) === 0xe2) return 'mp3';
  return null;
}
