import type { Command } from 'commander';
import { measureLevel } from '../../audio/index.js';
import { describeError, UsageError } from '../../shared/index.js';
import {
  defaultVoicesDir,
  listServerVoices,
  loadVoices,
  type Speaker,
  type Voice,
} from '../../speech/index.js';
import { ExitError } from '../program.js';
import { openVoices } from '../running/speech.js';
import type { Terminal } from '../terminal.js';
import { registerSay } from './say.js';

interface ListOptions extends VoicesOptions {
  server?: string;
  apiKeyEnv?: string;
}

interface VoicesOptions {
  voices?: string;
  json?: boolean;
}

const CHECK_LINE = 'I would like to return the keyboard of order W, two three seven.';

/** The key of a speech server; a variable of another kind of name is refused, as in voice files. */
function keyOf(name: string, { env }: Terminal): string {
  const key = /^[A-Z0-9_]+_API_KEY$/.test(name) ? env[name] : undefined;
  if (key !== undefined && key !== '') return key;
  throw new UsageError(
    'bad-option',
    `--api-key-env must name a set variable that ends in _API_KEY; got ${name}`,
  );
}

async function listVoices(options: ListOptions, terminal: Terminal): Promise<void> {
  const { server, apiKeyEnv } = options;
  if (server !== undefined) {
    const apiKey = apiKeyEnv === undefined ? undefined : keyOf(apiKeyEnv, terminal);
    const names = await listServerVoices(server, { apiKey });
    terminal.out(
      options.json ? `${JSON.stringify(names, null, 2)}\n` : names.map((name) => `${name}\n`).join(''),
    );
    return;
  }
  const voices = await loadVoices(options.voices ?? defaultVoicesDir());
  if (options.json) {
    terminal.out(`${JSON.stringify(voices, null, 2)}\n`);
    return;
  }
  const width = Math.max(...voices.map((voice) => voice.id.length));
  for (const { id, description, needs } of voices)
    terminal.out(`${id.padEnd(width)}  ${description}${needs === undefined ? '' : ` Needs ${needs}.`}\n`);
}

interface VoiceCheck {
  readonly id: string;
  readonly engine: string;
  readonly cast: boolean;
  /** Null: the voice speaks. */
  readonly fault: string | null;
  readonly durationMs: number | null;
  readonly rms: number | null;
}

async function checkVoice(speaker: Speaker, voice: Voice): Promise<VoiceCheck> {
  const { id, engine, cast = true } = voice;
  try {
    const { clip, durationMs } = await speaker.speak(CHECK_LINE, voice);
    return { id, engine, cast, fault: null, durationMs, rms: measureLevel(clip.samples).rms };
  } catch (error) {
    return { id, engine, cast, fault: describeError(error), durationMs: null, rms: null };
  }
}

function describeCheck({ fault, durationMs, rms, cast }: VoiceCheck): string {
  if (fault === null)
    return `ok       ${((durationMs ?? 0) / 1000).toFixed(2)} s, ${(20 * Math.log10(rms ?? 1)).toFixed(0)} dB`;
  return `${cast ? 'FAILS  ' : 'not here'} ${fault}`;
}

/** @throws ExitError when a voice that seeds may choose does not speak. */
async function checkVoices(options: VoicesOptions, terminal: Terminal): Promise<void> {
  const speaker = await openVoices(terminal.env, { workers: 1, voicesDir: options.voices });
  try {
    const checks: VoiceCheck[] = [];
    const width = Math.max(...speaker.voices.map(({ id }) => id.length));
    for (const voice of speaker.voices) {
      const check = await checkVoice(speaker, voice);
      checks.push(check);
      if (!options.json) terminal.out(`${check.id.padEnd(width)}  ${describeCheck(check)}\n`);
    }
    if (options.json) terminal.out(`${JSON.stringify(checks, null, 2)}\n`);
    if (checks.some(({ cast, fault }) => cast && fault !== null)) throw new ExitError(1);
  } finally {
    await speaker.close();
  }
}

/** `parlor voices`: who may be on the line. */
export function registerVoices(program: Command, terminal: Terminal): void {
  const voices = program
    .command('voices')
    .description('List, hear and check the voices of simulated customers.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ parlor voices\n  $ parlor voices check --voices my-voices\n  $ parlor voices list --server http://localhost:8880/v1',
    );
  voices
    .command('list', { isDefault: true })
    .description('List the voices (also without "list").')
    .option('--voices <folder>', 'a folder of voice files instead of the built-in one')
    .option('--server <url>', 'the voices of a speech server instead, up to and with /v1')
    .option('--api-key-env <name>', "variable with the server's key")
    .option('--json', 'print all fields as JSON')
    .action((options: ListOptions) => listVoices(options, terminal));
  registerSay(voices, terminal);
  voices
    .command('check')
    .description('Let every voice speak one line; exit 1 if one that seeds may choose cannot.')
    .option('--voices <folder>', 'a folder of voice files instead of the built-in one')
    .option('--json', 'print the results as JSON')
    .action((options: VoicesOptions) => checkVoices(options, terminal));
}
