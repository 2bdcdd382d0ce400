#!/usr/bin/env node
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createProgram, runCli } from './program.js';
import { processTerminal } from './terminal.js';

const invoked = process.argv[1];
/** A reader that goes away (`parlor tasks list | head`) ends neither the command nor its exit code. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

if (invoked !== undefined && realpathSync(invoked) === fileURLToPath(import.meta.url)) {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe);
  process.exitCode = await runCli(createProgram(processTerminal), process.argv, processTerminal);
}
