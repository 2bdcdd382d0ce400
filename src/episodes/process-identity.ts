import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface ProcessIdentity {
  readonly pid: number;
  /** For people. */
  readonly host: string;
  /** The table of processes that `pid` stands in: this start of the machine, and the container. */
  readonly place: string | null;
  /** When the process began, in ticks since the machine started; null where that cannot be seen. */
  readonly start: string | null;
}

function attempt(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Field 22 of /proc/PID/stat; the program's name before it may hold spaces and brackets. */
function startOf(pid: number | 'self'): string | null {
  return attempt(() => {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  });
}

/** Who this process is. Containers share host names and process numbers, so on Linux the kernel is asked. */
export function processIdentity(): ProcessIdentity {
  const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const container = attempt(() => readlinkSync('/proc/self/ns/pid'));
  const place =
    boot !== null && container !== null
      ? `${boot} ${container}`
      : process.platform === 'linux'
        ? null
        : hostname();
  return { pid: process.pid, host: hostname(), place, start: startOf('self') };
}

/** Whether a process of this table still runs. */
export function isProcessAlive({ pid, start }: Pick<ProcessIdentity, 'pid' | 'start'>): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there and somebody else's.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const now = startOf(pid);
  return start === null || now === null || start === now;
}
