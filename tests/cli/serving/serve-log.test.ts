import { describe, expect, it } from 'vitest';
import { createServeLog, type ServeLogOptions } from '../../../src/cli/serving/serve-log.js';
import { processTerminal } from '../../../src/cli/terminal.js';

function logOf(options: Partial<ServeLogOptions> = {}) {
  const lines: string[] = [];
  const terminal = { ...processTerminal, err: (text: string) => void lines.push(text) };
  const log = createServeLog(terminal, {
    ...{ format: 'human', level: 'info', secrets: [], now: () => new Date(0) },
    ...options,
  });
  return { lines, log };
}

describe('the log of parlor serve', () => {
  it('is one JSON object a line, with the episode', () => {
    const { lines, log } = logOf({ format: 'json' });
    log({
      level: 'info',
      event: 'episode_end',
      message: 'a\nb',
      fields: { episode: 'x.t0', none: undefined },
    });
    expect(lines).toEqual([
      '{"time":"1970-01-01T00:00:00.000Z","level":"info","event":"episode_end","message":"a\\nb","episode":"x.t0"}\n',
    ]);
  });

  it('never begins a new line or colours a terminal for a name that a client chose', () => {
    const { lines, log } = logOf();
    log({ level: 'error', event: 'x', message: 'eve\r\nparlor: all is well\u001b[2J\u2028' });
    expect(lines).toEqual(['parlor: error: eve\\r\\nparlor: all is well\\u001b[2J\\u2028\n']);
  });

  it('leaves out what is below its level', () => {
    const { lines, log } = logOf({ level: 'warning' });
    for (const level of ['debug', 'info', 'warning', 'error'] as const)
      log({ level, event: 'x', message: level });
    expect(lines).toEqual(['parlor: warning: warning\n', 'parlor: error: error\n']);
  });

  it.each(['human', 'json'] as const)('prints no secret (%s)', (format) => {
    const { lines, log } = logOf({ format, secrets: ['tok-1', 'tok-2'] });
    log({ level: 'error', event: 'x', message: 'tok-1 and tok-2', fields: { agent: 'I am tok-1' } });
    expect(lines.join('')).toContain('[secret] and [secret]');
    expect(lines.join('')).not.toMatch(/tok-/);
  });
});
