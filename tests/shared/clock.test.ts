import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../src/shared/index.js';

describe('the manual clock', () => {
  it('fires what is due in order of time, then of creation', () => {
    const clock = createManualClock();
    const fired: string[] = [];
    clock.after(20, () => fired.push('late'));
    clock.after(10, () => fired.push('first'));
    clock.after(10, () => fired.push('second'));
    clock.advance(15);
    expect(fired).toEqual(['first', 'second']);
    clock.advance(5);
    expect(fired).toEqual(['first', 'second', 'late']);
    expect(clock.nowMs()).toBe(20);
  });

  it('fires a timer that another timer set, within the same advance', () => {
    const clock = createManualClock();
    const fired: number[] = [];
    clock.after(10, () => clock.after(10, () => fired.push(clock.nowMs())));
    clock.advance(30);
    expect(fired).toEqual([20]);
  });

  it('does not fire what was cancelled, and cancelling twice is safe', () => {
    const clock = createManualClock();
    let fired = false;
    const cancel = clock.after(10, () => {
      fired = true;
    });
    cancel();
    cancel();
    clock.advance(100);
    expect(fired).toBe(false);
  });
});
