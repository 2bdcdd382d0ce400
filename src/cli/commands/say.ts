import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { describeError, UsageError } from '../../shared/index.js';
import { findVoice, SPELL_STYLES, type SpellStyle, spellOut, wavBytes } from '../../speech/index.js';
import { oneOf } from '../number-option.js';
import { openVoices } from '../running/speech.js';
import type { Terminal } from '../terminal.js';

interface SayOptions {
  voice: string;
  out?: string;
  voices?: string;
  json?: boolean;
  spell?: SpellStyle;
}

async function writeWav(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(path, bytes);
  } catch (error) {
    throw new UsageError('output-file', `cannot write ${path}: ${describeError(error)}`, { cause: error });
  }
}

async function say(text: string, options: SayOptions, terminal: Terminal): Promise<void> {
  if (!/[\p{L}\p{N}\p{S}]/u.test(text))
    throw new UsageError(
      'bad-option',
      `<text> must hold something to say, a word or a number; got ${JSON.stringify(text)}`,
      { facts: { text } },
    );
  const { voice: voiceId, out, voices: voicesDir, json, spell } = options;
  const speaker = await openVoices(terminal.env, { workers: 1, voicesDir });
  try {
    const said = spell === undefined ? text : spellOut(text, spell);
    const line = await speaker.speak(said, findVoice(speaker.voices, voiceId));
    if (out !== undefined) await writeWav(out, wavBytes(line.clip));
    if (json) {
      const { clip, words = null, ...facts } = line;
      const { sampleRateHz } = clip;
      terminal.out(`${JSON.stringify({ ...facts, sampleRateHz, words, file: out ?? null })}\n`);
      return;
    }
    terminal.out(
      `spoken    ${line.spoken}\n` +
        `voice     ${line.voiceId}\n` +
        `duration  ${(line.durationMs / 1000).toFixed(2)} s\n` +
        `file      ${out ?? 'none (add --out FILE.wav)'}\n`,
    );
  } finally {
    await speaker.close();
  }
}

const EXAMPLE = '\nExample:\n  $ parlor say "My order is #W2378156." --voice awb-even --out line.wav';

/** `parlor say` and `parlor voices say`: one line, as the simulated customer would speak it. */
export function registerSay(program: Command, terminal: Terminal): void {
  program
    .command('say')
    .description('Speak a line as a simulated customer would, and show its spoken form.')
    .argument('<text>', 'what is written')
    .option('--voice <id>', 'a voice of `parlor voices`', 'slt-even')
    .option('--out <file>', 'write the audio to this WAV file (16 kHz, mono, 16 bits)')
    .option('--voices <folder>', 'a folder of voice files instead of the built-in one')
    .option('--spell <style>', `sign by sign: ${SPELL_STYLES.join(' or ')}`, oneOf('--spell', SPELL_STYLES))
    .option('--json', 'print one JSON object')
    .addHelpText('after', EXAMPLE)
    .action((text: string, options: SayOptions) => say(text, options, terminal));
}
