import type { Clock } from '../shared/index.js';
import type { Terminal } from './terminal.js';

export interface ProgressOptions {
  readonly clock: Clock;
  /** Episodes to run now. */
  readonly total: number;
  /** Episodes that an earlier start of the run had finished. */
  readonly already?: number;
}

export interface Progress {
  /** One more episode has ended; null: invalid. */
  step(passed: boolean | null): void;
  /** A line above the bar. */
  note(text: string): void;
  /** Leaves the last state on its own line; safe twice. */
  close(): void;
}

const REDRAW_MS = 100;
const PLAIN_MS = 10_000;
const BAR_WIDTH = 24;

/** 75 → "1:15", 3700 → "1:01:40". */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/**
 * Progress on stderr: on a terminal one line that is redrawn at most ten times a second, elsewhere a plain line at every tenth of
 * the work, at most one in ten seconds. The rate is the mean since the start, so the ETA does not jump about.
 */
export function createProgress(terminal: Terminal, options: ProgressOptions): Progress {
  const { clock, total, already = 0 } = options;
  const startMs = clock.nowMs();
  // Some pseudo-terminals say that they have no columns.
  const width = (terminal.columns > 0 ? terminal.columns : 80) - 1;
  let done = 0;
  let passed = 0;
  let failed = 0;
  let drawnMs = Number.NEGATIVE_INFINITY;
  let nextTenth = 1;
  let closed = false;

  const describe = (): string => {
    const elapsed = (clock.nowMs() - startMs) / 1000;
    const rate = done / Math.max(elapsed, 0.001);
    const eta =
      done === 0
        ? 'ETA –'
        : done === total
          ? `took ${formatDuration(elapsed)}`
          : `ETA ${formatDuration((total - done) / rate)}`;
    const judged = passed + failed;
    const pass = judged === 0 ? '' : `  pass ${((100 * passed) / judged).toFixed(0)} %`;
    const speed = done === 0 ? '' : `  ${rate.toFixed(rate < 10 ? 1 : 0)}/s`;
    return `${already + done}/${already + total} episodes${speed}  ${eta}${pass}`;
  };
  const bar = (): string => {
    const share = already + total === 0 ? 1 : (already + done) / (already + total);
    const full = Math.round(share * BAR_WIDTH);
    return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)}`;
  };
  const draw = (): void => {
    drawnMs = clock.nowMs();
    terminal.err(`\r\u001b[2K${`${bar()} ${describe()}`.slice(0, width)}`);
  };

  if (terminal.isTty) draw();
  return {
    step(result) {
      done += 1;
      if (result === true) passed += 1;
      else if (result === false) failed += 1;
      if (terminal.isTty) {
        if (done === total || clock.nowMs() - drawnMs >= REDRAW_MS) draw();
        return;
      }
      const tenthReached = done * 10 >= nextTenth * total;
      if (done === total || (tenthReached && clock.nowMs() - Math.max(drawnMs, startMs) >= PLAIN_MS)) {
        drawnMs = clock.nowMs();
        nextTenth = Math.floor((done * 10) / total) + 1;
        terminal.err(`${describe()}\n`);
      }
    },
    note(text) {
      terminal.err(terminal.isTty ? `\r\u001b[2K${text}\n` : `${text}\n`);
      if (terminal.isTty && !closed) draw();
    },
    close() {
      if (closed) return;
      closed = true;
      if (!terminal.isTty) return;
      draw();
      terminal.err('\n');
    },
  };
}
