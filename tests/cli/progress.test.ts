import { describe, expect, it } from 'vitest';
import { createProgress, formatDuration } from '../../src/cli/progress.js';
import { createManualClock } from '../../src/shared/index.js';

function watch(isTty: boolean, total: number, already = 0) {
  const clock = createManualClock();
  let text = '';
  const terminal = {
    out: () => {},
    err: (more: string) => {
      text += more;
    },
    isTty,
    columns: 100,
    colour: false,
    env: {},
    cwd: '.',
  };
  const progress = createProgress(terminal, { clock, total, already });
  return { clock, progress, text: () => text };
}

describe('the progress bar', () => {
  it('redraws one line on a terminal, with rate, ETA and the share that passed', () => {
    const { clock, progress, text } = watch(true, 4);
    clock.advance(1000);
    progress.step(true);
    clock.advance(1000);
    progress.step(false);
    const last = text().split('\r').at(-1);
    expect(last).toContain('2/4 episodes  1.0/s  ETA 0:02  pass 50 %');
    expect(text()).not.toContain('\n');
    progress.close();
    progress.close();
    expect(text().split('\n')).toHaveLength(2);
  });

  it('does not redraw more often than ten times a second', () => {
    const { clock, progress, text } = watch(true, 1000);
    for (let i = 0; i < 500; i += 1) {
      clock.advance(1);
      progress.step(true);
    }
    expect(text().split('\r').length).toBeLessThan(8);
  });

  it('writes plain lines elsewhere, few of them, the last when all is done', () => {
    const { clock, progress, text } = watch(false, 100);
    for (let i = 0; i < 100; i += 1) {
      clock.advance(1000);
      progress.step(true);
    }
    progress.close();
    const lines = text().trimEnd().split('\n');
    expect(lines).toHaveLength(10);
    expect(lines[0]).toBe('10/100 episodes  1.0/s  ETA 1:30  pass 100 %');
    expect(lines.at(-1)).toBe('100/100 episodes  1.0/s  took 1:40  pass 100 %');
    expect(text()).not.toContain('\r');
  });

  it('counts what an earlier start has done, but not in its rate', () => {
    const { clock, progress, text } = watch(true, 2, 6);
    clock.advance(2000);
    progress.step(null);
    expect(text().split('\r').at(-1)).toContain('7/8 episodes  0.5/s  ETA 0:02');
    expect(text()).not.toContain('pass');
  });

  it('puts notes above the bar', () => {
    const { progress, text } = watch(true, 2);
    progress.note('stopping');
    expect(text()).toContain('stopping\n');
    expect(text().split('\r').at(-1)).toContain('0/2 episodes');
  });

  it('writes durations as people read them', () => {
    expect([0, 59.4, 75, 3700].map(formatDuration)).toEqual(['0:00', '0:59', '1:15', '1:01:40']);
  });
});
