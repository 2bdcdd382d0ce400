#!/usr/bin/env node
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../shared/index.js';
import { tellSlowStart } from './slow-start.js';
import { processTerminal } from './terminal.js';

const invoked = process.argv[1];
/** A reader that goes away (`parlor tasks list | head`) ends neither the command nor its exit code. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

if (invoked !== undefined && realpathSync(invoked) === fileURLToPath(import.meta.url)) {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe);
  const { terminal, done } = tellSlowStart(processTerminal, { command: process.argv[2], clock: systemClock });
  // Not at the top: the whole program takes seconds to load on a busy machine.
  const { createProgram, runCli } = await import('./program.js');
  process.exitCode = await runCli(createProgram(terminal), process.argv, terminal);
  done();
}
