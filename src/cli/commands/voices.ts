import type { Command } from 'commander';
import { defaultVoicesDir, loadVoices } from '../../speech/index.js';
import type { Terminal } from '../terminal.js';

interface VoicesOptions {
  voices?: string;
  json?: boolean;
}

async function listVoices(options: VoicesOptions, terminal: Terminal): Promise<void> {
  const voices = await loadVoices(options.voices ?? defaultVoicesDir());
  if (options.json) {
    terminal.out(`${JSON.stringify(voices, null, 2)}\n`);
    return;
  }
  const width = Math.max(...voices.map((voice) => voice.id.length));
  for (const voice of voices) terminal.out(`${voice.id.padEnd(width)}  ${voice.description}\n`);
}

/** `parlor voices`: who may be on the line. */
export function registerVoices(program: Command, terminal: Terminal): void {
  program
    .command('voices')
    .description('List the voices of simulated customers.')
    .option('--voices <folder>', 'a folder of voice files instead of the built-in one')
    .option('--json', 'print all fields as JSON')
    .action((options: VoicesOptions) => listVoices(options, terminal));
}
