import type { RegisterCommand } from '../program.js';
import { AGENT_KINDS } from '../running/agents.js';

/** `parlor agents`: who can play, each with a command to begin with. */
export const registerAgents: RegisterCommand = (program, terminal) => {
  program
    .command('agents')
    .description('List the agents that come with Parlor, each with one command to begin with.')
    .option('--json', 'print one JSON list')
    .action((flags: { json?: true }) => {
      const kinds = AGENT_KINDS.map(({ name, about, example }) => ({ name, about, example }));
      if (flags.json === true) {
        terminal.out(`${JSON.stringify(kinds, null, 2)}\n`);
        return;
      }
      for (const { name, about, example } of kinds)
        terminal.out(`${name.padEnd(10)} ${about}\n${' '.repeat(11)}$ ${example}\n\n`);
      terminal.out(
        `${'your own'.padEnd(10)} any program that speaks the protocol (docs/protocol.md, examples/plain-agent.js)\n${' '.repeat(11)}$ parlor serve\n`,
      );
    });
};
