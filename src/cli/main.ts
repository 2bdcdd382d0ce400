#!/usr/bin/env node
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createProgram, runCli } from './program.js';
import { processTerminal } from './terminal.js';

const invoked = process.argv[1];
if (invoked !== undefined && realpathSync(invoked) === fileURLToPath(import.meta.url)) {
  process.exitCode = await runCli(createProgram(processTerminal), process.argv, processTerminal);
}
