import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** GPT-2's letters for bytes: printable ones stand for themselves, the others for letters from 256 on. */
function byteLetters(): string[] {
  const isPlain = (byte: number): boolean =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => {
    if (isPlain(byte)) return String.fromCodePoint(byte);
    next += 1;
    return String.fromCodePoint(next - 1);
  });
}

export const SPECIALS = [
  ...['<|endoftext|>', '<|im_start|>', '<|im_end|>', '<|audio_bos|>', '<|AUDIO|>', '<|audio_eos|>'],
  ...['<tool_call>', '</tool_call>'],
];

const MERGES = [
  'h e',
  'l l',
  'he ll',
  'hell o',
  'o r',
  'or d',
  'e r',
  'ord er',
  'Ġ order',
  'Ġ t',
  'Ġt he',
  '" :',
  'c a',
  'ca ll',
];

/** Writes a byte-level BPE tokenizer of the project's own making, in the files that a model would have. */
export function writeTinyTokenizer(dir: string): void {
  const words = [...byteLetters(), ...MERGES.map((merge) => merge.replace(' ', ''))];
  const vocab = Object.fromEntries(words.map((word, id) => [word, id]));
  const added = SPECIALS.map((content, place) => ({
    ...{
      id: words.length + place,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
    },
    special: content.startsWith('<|'),
  }));
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true };
  writeFileSync(
    join(dir, 'tokenizer.json'),
    JSON.stringify({
      ...{ version: '1.0', truncation: null, padding: null, added_tokens: added, normalizer: null },
      ...{ pre_tokenizer: byteLevel, post_processor: null, decoder: byteLevel },
      model: { type: 'BPE', vocab, merges: MERGES, byte_fallback: false, unk_token: null, dropout: null },
    }),
  );
  writeFileSync(join(dir, 'tokenizer_config.json'), JSON.stringify({ eos_token: '<|im_end|>' }));
}
