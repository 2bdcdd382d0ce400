import { DatasetChoiceError } from '../errors.js';

/** How a family of models stands for sound in its token ids. */
export interface AudioFamily {
  readonly name: string;
  /** Before, once per audio token, after; as they stand in the tokenizer. */
  readonly begin: string;
  readonly pad: string;
  readonly end: string;
  /** Placeholders for a clip of so many samples at 16 kHz. */
  readonly tokensOf: (samples: number) => number;
}

const HOP = 160;
const ceilHalf = (value: number): number => Math.floor((value - 1) / 2) + 1;

/** Qwen2.5-Omni: 10 ms frames, halved by a convolution and again by pooling, 40 ms a token. */
function qwen25Tokens(samples: number): number {
  const frames = Math.floor(samples / HOP);
  return frames < 3 ? 0 : Math.floor((ceilHalf(frames) - 2) / 2) + 1;
}

/** Qwen3-Omni: windows of 100 frames give 13 tokens each; a rest goes through three halvings. */
function qwen3Tokens(samples: number): number {
  const frames = Math.floor(samples / HOP);
  const rest = frames % 100;
  const tail = rest === 0 ? 0 : ceilHalf(ceilHalf(ceilHalf(rest)));
  return Math.floor(frames / 100) * 13 + tail;
}

export const AUDIO_FAMILIES: readonly AudioFamily[] = [
  {
    name: 'qwen2.5-omni',
    begin: '<|audio_bos|>',
    pad: '<|AUDIO|>',
    end: '<|audio_eos|>',
    tokensOf: qwen25Tokens,
  },
  {
    name: 'qwen3-omni',
    begin: '<|audio_start|>',
    pad: '<|audio_pad|>',
    end: '<|audio_end|>',
    tokensOf: qwen3Tokens,
  },
];

/** @throws DatasetChoiceError */
export function findAudioFamily(name: string): AudioFamily {
  const family = AUDIO_FAMILIES.find((each) => each.name === name);
  if (family !== undefined) return family;
  throw new DatasetChoiceError(
    `no family of audio models "${name}"; choose one of ${AUDIO_FAMILIES.map((each) => each.name).join(', ')}`,
  );
}
