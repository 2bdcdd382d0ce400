import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import {
  AUDIO_FAMILIES,
  createTokenEncoder,
  type EncodeRow,
  findAudioFamily,
  loadTokenizer,
  TARL_LIMITS,
  type TokenLimits,
} from '../../dataset/index.js';
import { wholeNumber } from '../number-option.js';
import type { Terminal } from '../terminal.js';

/** Flags that say how rows become token ids. */
export interface TokenFlags {
  readonly tokenizer?: string;
  readonly chatTemplate?: string;
  readonly audioFamily?: string;
  readonly maxPromptTokens: number;
  readonly maxTurnTokens: number;
  readonly maxTokens: number;
  readonly truncation: TokenLimits['whenOver'];
}

const TOKENS = { min: 1, max: 10_000_000 };

export function addTokenOptions(command: Command): Command {
  const { prompt, turn, total, whenOver } = TARL_LIMITS;
  return command
    .option(
      '--tokenizer <folder>',
      "the model's tokenizer.json and tokenizer_config.json, for rows without sampled ids",
    )
    .option(
      '--chat-template <file>',
      "in place of the model's own; a model without one gets ChatML with tools",
    )
    .addOption(
      new Option('--audio-family <family>', 'placeholders for sound, with --tokenizer').choices(
        AUDIO_FAMILIES.map(({ name }) => name),
      ),
    )
    .option(
      '--max-prompt-tokens <n>',
      'before the first turn',
      wholeNumber('--max-prompt-tokens', TOKENS),
      prompt,
    )
    .option(
      '--max-turn-tokens <n>',
      'of one turn of the agent',
      wholeNumber('--max-turn-tokens', TOKENS),
      turn,
    )
    .option('--max-tokens <n>', 'of the whole row', wholeNumber('--max-tokens', TOKENS), total)
    .addOption(
      new Option(
        '--truncation <what>',
        'rows over a limit: refuse to export, cut whole turns, or drop the row',
      )
        .choices(['refuse', 'cut', 'drop'])
        .default(whenOver),
    );
}

/** How rows get tokens, and what the manifest says of it. */
export async function openTokens(
  flags: TokenFlags,
  { cwd }: Terminal,
): Promise<{ readonly encode: EncodeRow; readonly tokenSettings: Readonly<Record<string, unknown>> }> {
  const { maxPromptTokens: prompt, maxTurnTokens: turn, maxTokens: total, truncation: whenOver } = flags;
  const limits: TokenLimits = { prompt, turn, total, whenOver };
  const audio = flags.audioFamily === undefined ? null : findAudioFamily(flags.audioFamily);
  const tokenizer =
    flags.tokenizer === undefined
      ? null
      : await loadTokenizer({
          folder: resolve(cwd, flags.tokenizer),
          template: flags.chatTemplate === undefined ? null : resolve(cwd, flags.chatTemplate),
        });
  return {
    encode: createTokenEncoder({ encoder: tokenizer === null ? null : { tokenizer, audio }, limits }),
    tokenSettings: { ...limits, tokenizer: tokenizer?.hash ?? null, audioFamily: audio?.name ?? null },
  };
}
