import { describe, expect, it } from 'vitest';
import { tellSlowStart } from '../../src/cli/slow-start.js';
import type { Terminal } from '../../src/cli/terminal.js';
import { createManualClock } from '../../src/shared/index.js';

function start(command: string) {
  const lines: string[] = [];
  const clock = createManualClock();
  const plain: Terminal = {
    ...{ out: (text) => lines.push(`out ${text}`), err: (text) => lines.push(`err ${text}`) },
    ...{ isTty: false, columns: 80, colour: false, env: {}, cwd: '.' },
  };
  return { lines, clock, ...tellSlowStart(plain, { command, clock }) };
}

describe('a command that takes a while to begin', () => {
  it('says within a second that it has begun, on stderr and once', () => {
    const { lines, clock, terminal } = start('run');
    clock.advance(1_000);
    expect(lines).toEqual(['err parlor: setting up …\n']);
    terminal.out('{}');
    clock.advance(60_000);
    expect(lines).toEqual(['err parlor: setting up …\n', 'out {}']);
  });

  it('does not where it has said something else, is over, or is quick', () => {
    const spoken = start('run');
    spoken.terminal.err('no such task\n');
    const over = start('generate');
    over.done();
    const quick = start('say');
    for (const { clock } of [spoken, over, quick]) clock.advance(60_000);
    expect(spoken.lines).toEqual(['err no such task\n']);
    expect([...over.lines, ...quick.lines]).toEqual([]);
  });
});
