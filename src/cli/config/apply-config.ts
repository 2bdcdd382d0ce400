import type { Command, Option } from 'commander';
import { UsageError } from '../../shared/index.js';
import { nearest } from '../nearest.js';
import type { Terminal } from '../terminal.js';
import { type ConfigFile, readConfigFile } from './config-file.js';

/** Commands that take settings from the file and the environment. */
const CONFIGURABLE = ['run', 'score'];
/** They belong to one call, not to a folder or a machine. */
const NEVER = ['resume', 'json', 'help'];

const MODELS_OWN = ['baseUrl', 'model', 'record', 'replay'];

/** Where a setting comes from. */
export type SettingSource = 'flag' | 'file' | 'environment' | 'default';

/** `baseUrl` → `PARLOR_BASE_URL`. */
export function environmentName(setting: string): string {
  return `PARLOR_${setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

export function configurableCommands(program: Command): Command[] {
  return program.commands.filter((command) => CONFIGURABLE.includes(command.name()));
}

export function settingsOf(command: Command): Option[] {
  return command.options.filter((option) => !NEVER.includes(option.attributeName()));
}

function checkNames(program: Command, { path, values }: ConfigFile): void {
  const known = configurableCommands(program).flatMap((command) =>
    settingsOf(command).map((option) => option.attributeName()),
  );
  for (const name of Object.keys(values)) {
    if (known.includes(name)) continue;
    const [meant] = nearest(name, known);
    throw new UsageError(
      'bad-config',
      `${path}: there is no setting "${name}"${meant === undefined ? '' : `; did you mean "${meant}"?`} ("parlor config" lists them)`,
    );
  }
}

function parse(option: Option, value: string | number | boolean, from: string): unknown {
  if (option.isBoolean() || option.negate) {
    if (['true', '1', 'yes'].includes(String(value))) return true;
    if (['false', '0', 'no', ''].includes(String(value))) return option.negate ? false : undefined;
    throw new UsageError('bad-config', `${from} must be true or false; got "${value}"`);
  }
  if (option.parseArg === undefined) return String(value);
  try {
    return option.parseArg(String(value), undefined as never);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError('bad-config', `${from}: ${message}`, { cause: error });
  }
}

/**
 * Fills in what no flag says: from the folder's file, then from the environment. Values are checked as flags are.
 * @throws UsageError
 */
export async function applyConfig(program: Command, command: Command, terminal: Terminal): Promise<void> {
  if (!CONFIGURABLE.includes(command.name())) return;
  const file = await readConfigFile(terminal.cwd);
  checkNames(program, file);
  const settings = settingsOf(command);
  // The rule judge asks no model, and says so to who gives it one: a folder's server is not meant for it.
  const isRuleJudge = (): boolean => command.getOptionValue('judge') === 'rules';
  for (const option of settings.toSorted(
    (a, b) => Number(b.long === '--judge') - Number(a.long === '--judge'),
  )) {
    const name = option.attributeName();
    if (MODELS_OWN.includes(name) && isRuleJudge()) continue;
    if (command.getOptionValueSource(name) === 'cli') continue;
    const variable = environmentName(name);
    const fromFile = file.values[name];
    const value = fromFile ?? terminal.env[variable];
    if (value === undefined) continue;
    const isFile = fromFile !== undefined;
    const parsed = parse(option, value, isFile ? `${file.path}, ${name}` : variable);
    if (parsed !== undefined) command.setOptionValueWithSource(name, parsed, isFile ? 'config' : 'env');
  }
}

export function sourceOf(command: Command, name: string): SettingSource {
  switch (command.getOptionValueSource(name)) {
    case 'cli':
      return 'flag';
    case 'config':
      return 'file';
    case 'env':
      return 'environment';
    default:
      return 'default';
  }
}
