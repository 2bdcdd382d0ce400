import { describe, expect, it } from 'vitest';
import { watchInterrupts } from '../../../src/cli/running/interrupts.js';
import type { Terminal } from '../../../src/cli/terminal.js';

describe('Ctrl-C during a run', () => {
  it('first stops new episodes, then breaks off running ones, and can be given back', () => {
    let press = (): void => {};
    let released = false;
    const terminal = {
      onInterrupt: (handler: () => void) => {
        press = handler;
        return () => {
          released = true;
        };
      },
    } as Partial<Terminal> as Terminal;
    const said: string[] = [];
    const interrupts = watchInterrupts(terminal, {
      onFirst: () => said.push('first'),
      onSecond: () => said.push('second'),
    });
    expect([interrupts.stop.aborted, interrupts.abort.aborted]).toEqual([false, false]);
    press();
    expect([interrupts.stop.aborted, interrupts.abort.aborted]).toEqual([true, false]);
    press();
    press();
    expect([interrupts.stop.aborted, interrupts.abort.aborted]).toEqual([true, true]);
    expect(said).toEqual(['first', 'second']);
    interrupts.release();
    expect(released).toBe(true);
  });
});
