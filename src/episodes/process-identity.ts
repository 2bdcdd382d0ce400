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

function attempt<Result>(read: () => Result): Result | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Fields 3 and 22 of /proc/PID/stat; the program's name before them may hold spaces and brackets. */
function statOf(pid: number | 'self'): { readonly state: string; readonly start: string } | null {
  return attempt(() => {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', start: fields[19] ?? '' };
  });
}

/** Dead, but its parent has not asked yet how it ended; in many containers nobody ever does. */
const ZOMBIE_STATES = ['Z', 'X', 'x'];

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
  return { pid: process.pid, host: hostname(), place, start: statOf('self')?.start ?? null };
}

/** Whether a process of this table still runs. */
export function isProcessAlive({ pid, start }: Pick<ProcessIdentity, 'pid' | 'start'>): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there and somebody else's.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const now = statOf(pid);
  if (now !== null && ZOMBIE_STATES.includes(now.state)) return false;
  return start === null || now === null || start === now.start;
}
