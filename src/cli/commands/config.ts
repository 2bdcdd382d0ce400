import {
  applyConfig,
  configurableCommands,
  environmentName,
  settingsOf,
  sourceOf,
} from '../config/apply-config.js';
import { readConfigFile } from '../config/config-file.js';
import type { RegisterCommand } from '../program.js';

interface Setting {
  readonly name: string;
  /** Null: not set, the command's own default holds. */
  readonly value: unknown;
  readonly source: string;
  readonly environment: string;
}

/** `parlor config`: what settings hold here, and where each comes from. Keys are never settings, so none is printed. */
export const registerConfig: RegisterCommand = (program, terminal) => {
  program
    .command('config')
    .description(
      'Print the settings that hold in this folder and where each comes from: a flag beats parlor.config.json (or .ts, .js), which beats the environment.',
    )
    .option('--all', 'also settings that nobody set')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExample parlor.config.json:\n  { "agent": "openai", "baseUrl": "http://localhost:8000/v1", "model": "Qwen/Qwen2.5-Omni-7B" }\n\nThe same by environment: PARLOR_BASE_URL=http://localhost:8000/v1',
    )
    .action(async (flags: { all?: true; json?: true }) => {
      const { path } = await readConfigFile(terminal.cwd);
      const commands: Record<string, Setting[]> = {};
      for (const command of configurableCommands(program)) {
        await applyConfig(program, command, terminal);
        commands[command.name()] = settingsOf(command)
          .map((option): Setting => {
            const name = option.attributeName();
            const value: unknown = command.getOptionValue(name) ?? null;
            return { name, value, source: sourceOf(command, name), environment: environmentName(name) };
          })
          .filter(({ source }) => flags.all === true || source !== 'default');
      }
      if (flags.json === true) {
        terminal.out(`${JSON.stringify({ file: path, commands }, null, 2)}\n`);
        return;
      }
      terminal.out(`file  ${path ?? 'none (parlor.config.json, .ts or .js in this folder)'}\n`);
      for (const [name, settings] of Object.entries(commands)) {
        terminal.out(`\nparlor ${name}\n`);
        if (settings.length === 0) terminal.out('  nothing is set; --all lists what could be\n');
        for (const { name: setting, value, source, environment } of settings)
          terminal.out(
            `  ${setting.padEnd(20)} ${String(value ?? '–').padEnd(32)} ${source === 'environment' ? environment : source}\n`,
          );
      }
    });
};
