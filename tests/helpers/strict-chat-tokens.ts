/** Token ids of Qwen2.5-Omni that matter to a client; everything else is made up from the text. */
export const AUDIO_TOKEN = 151646;
const AUDIO_BEGIN = 151647;
const AUDIO_END = 151648;
const MESSAGE_BEGIN = 151644;
export const MESSAGE_END = 151645;

const PIECE_CHARACTERS = 4;

/** Ids for a text: four characters a token, the same text the same ids (FNV-1a). Not a real vocabulary; only lengths and equality count. */
export function textTokens(text: string): number[] {
  const ids: number[] = [];
  for (let at = 0; at < text.length; at += PIECE_CHARACTERS) {
    let hash = 0x811c9dc5;
    for (let place = at; place < Math.min(at + PIECE_CHARACTERS, text.length); place += 1)
      hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
    ids.push((hash >>> 0) % 150_000);
  }
  return ids;
}

/**
 * Audio tokens of a 16 kHz clip: L mel frames of 10 ms give a = (L - 1) div 2 + 1, then (a - 2) div 2 + 1 tokens, about 25 a second.
 */
export function audioTokenCount(durationMs: number, perSecond = 25): number {
  const frames = Math.floor(durationMs / 10);
  if (frames < 3) return 0;
  if (perSecond !== 25) return Math.max(1, Math.round((durationMs / 1000) * perSecond));
  const halved = Math.floor((frames - 1) / 2) + 1;
  return Math.floor((halved - 2) / 2) + 1;
}

export type TokenPart = { readonly text: string } | { readonly durationMs: number };

/** One message as the prompt holds it: placeholders are expanded to one id per audio token. */
export function messageTokens(role: string, parts: readonly TokenPart[], audioPerSecond: number): number[] {
  const body = parts.flatMap((part) => {
    if ('text' in part) return textTokens(part.text);
    const run = new Array<number>(audioTokenCount(part.durationMs, audioPerSecond)).fill(AUDIO_TOKEN);
    return [AUDIO_BEGIN, ...run, AUDIO_END];
  });
  return [MESSAGE_BEGIN, ...textTokens(`${role}\n`), ...body, MESSAGE_END];
}

export function generationPrompt(): number[] {
  return [MESSAGE_BEGIN, ...textTokens('assistant\n')];
}
