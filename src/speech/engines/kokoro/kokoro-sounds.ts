/**
 * The sounds that Kokoro-82M v1.0 was trained on, and their ids: the `vocab` of https://huggingface.co/hexgrad/Kokoro-82M's
 * config.json, written as runs of neighbours from a first id. A capital is a whole diphthong.
 */
const RUNS: readonly (readonly [firstId: number, sounds: string])[] = [
  [1, ';:,.!?'],
  [9, '—…"()“” \u0303ʣʥʦʨᵝꭧAI'],
  [31, 'O'],
  [33, 'Q'],
  [35, 'ST'],
  [39, 'W'],
  [41, 'Yᵊabcdef'],
  [50, 'hijklmnopqrstuvwxyzɑɐɒæ'],
  [75, 'βɔɕç'],
  [80, 'ɖðʤə'],
  [85, 'ɚɛɜ'],
  [90, 'ɟ'],
  [92, 'ɡ'],
  [99, 'ɥ'],
  [101, 'ɨɪʝ'],
  [110, 'ɯɰŋɳɲɴø'],
  [118, 'ɸθœ'],
  [123, 'ɹ'],
  [125, 'ɾɻ'],
  [128, 'ʁɽʂʃʈʧ'],
  [135, 'ʊʋ'],
  [138, 'ʌɣɤ'],
  [142, 'χʎ'],
  [147, 'ʒʔ'],
  [156, 'ˈˌː'],
  [162, 'ʰ'],
  [164, 'ʲ'],
  [169, '↓'],
  [171, '→↗↘'],
  [177, 'ᵻ'],
];
const IDS: ReadonlyMap<string, number> = new Map(
  RUNS.flatMap(([firstId, sounds]) => [...sounds].map((sound, i): [string, number] => [sound, firstId + i])),
);

type Respelling = readonly [espeak: string, kokoro: string];
/** What espeak-ng writes for English (one sound's letters tied by ^), and how Kokoro's training wrote it. */
const BOTH: readonly Respelling[] = [
  ['a^ɪ', 'I'],
  ['a^ʊ', 'W'],
  ['e^ɪ', 'A'],
  ['ɔ^ɪ', 'Y'],
  ['d^ʒ', 'ʤ'],
  ['t^ʃ', 'ʧ'],
  ['ə^l', 'ᵊl'],
  ['ʔn\u0329', 'tᵊn'],
  ['n\u0329', 'ᵊn'],
  ['l\u0329', 'ᵊl'],
  ['r', 'ɹ'],
  ['ɐ', 'ə'],
];
const AMERICAN: readonly Respelling[] = [
  ['o^ʊ', 'O'],
  ['ɜː', 'ɜɹ'],
  ['ɚ', 'əɹ'],
  ['ː', ''],
];
const BRITISH: readonly Respelling[] = [
  ['ə^ʊ', 'Q'],
  ['e^ə', 'ɛː'],
  ['i^ə', 'ɪə'],
];

/** The most sounds of one piece: the model reads 512 ids with the two ends. */
export const MAX_SOUNDS = 510;

/** Kokoro's ids of what espeak-ng wrote, without the ends; signs that the voice was not trained on are left out. */
export function kokoroIds(sounds: string, espeakVoice: string): number[] {
  const table = [...BOTH, ...(espeakVoice.startsWith('en-gb') ? BRITISH : AMERICAN)];
  const respelled = table.reduce((text, [espeak, kokoro]) => text.replaceAll(espeak, kokoro), sounds);
  return [...respelled].flatMap((sound) => IDS.get(sound) ?? []);
}
