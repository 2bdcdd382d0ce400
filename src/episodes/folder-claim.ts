import { link, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type Clock, describeError, makeFolder } from '../shared/index.js';
import { FolderInUseError, RunFolderError } from './errors.js';
import { isProcessAlive, processIdentity } from './process-identity.js';

/** The lock's name in the folder; gone when nobody writes there. */
export const CLAIM_FILE = '.parlor-lock';
const SIGN_OF_LIFE_MS = 5000;
/** A holder whose process cannot be looked up is taken for dead when its last sign of life is this old. */
const SILENT_MS = 30_000;
const MAX_TRIES = 5;

const claimSchema = z.object({
  pid: z.int().min(1),
  host: z.string(),
  /** Which table of processes `pid` stands in; null: not known. */
  place: z.string().nullable(),
  /** Tells the process from a later one with its number; null: not known. */
  start: z.string().nullable(),
});
type Claim = z.infer<typeof claimSchema>;

/** The right to write into a folder. */
export interface FolderClaim {
  /** Safe twice. */
  release(): Promise<void>;
}

const isError = (error: unknown, ...codes: string[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException).code ?? '');

function parseClaim(text: string): Claim | null {
  try {
    return claimSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Puts a whole file there if none is: nobody sees half of it. False: somebody else's is there. */
async function place(path: string, draft: string, text: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (isError(error, 'EEXIST')) return false;
    // No hard links on this file system.
    if (!isError(error, 'EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK')) throw error;
  }
  try {
    await writeFile(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (isError(error, 'EEXIST')) return false;
    throw error;
  }
}

interface Found {
  readonly text: string;
  readonly claim: Claim | null;
  /** By the clock of the file system: that of a file which was just written, less that of the lock. */
  readonly silentMs: number;
}

async function find(path: string, draft: string): Promise<Found | null> {
  try {
    const [text, lock, now] = await Promise.all([readFile(path, 'utf8'), stat(path), stat(draft)]);
    return { text, claim: parseClaim(text), silentMs: now.mtimeMs - lock.mtimeMs };
  } catch (error) {
    if (isError(error, 'ENOENT')) return null;
    throw error;
  }
}

function isHeld({ claim, silentMs }: Found): boolean {
  if (claim !== null && claim.place !== null && claim.place === processIdentity().place)
    return isProcessAlive(claim);
  return silentMs < SILENT_MS;
}

/**
 * Puts the draft in a dead holder's place: over it, so that the lock is never away and nobody else can put one there. Only who has
 * the vote may, and only while it is still the lock that was found: of several that found it dead, one gets it. Returns what the
 * vote's holder wrote when somebody else has it and lives; true when the lock is the draft; false: look again.
 */
async function takeOver({ path, draft, text }: Draft, found: Found): Promise<boolean | Found> {
  const vote = `${path}-vote`;
  if (!(await place(vote, draft, text))) {
    const other = await find(vote, draft);
    if (other !== null && isHeld(other)) return other;
    await rm(vote, { force: true });
    return false;
  }
  try {
    if ((await find(path, draft))?.text !== found.text) return false;
    await rename(draft, path);
    return true;
  } finally {
    await rm(vote, { force: true });
  }
}

interface Draft {
  /** Of the lock. */
  readonly path: string;
  readonly draft: string;
  readonly text: string;
}

let claims = 0;

/**
 * Claims a folder, which is made where it is missing, for this process: two servers or runs in one folder would mix their records.
 * The claim is a lock file with process and host. It outlives a process that was killed, but binds nobody then: in the same table
 * of processes the holder is looked up, elsewhere (another machine or container on a shared disk) it is dead when it has given no
 * sign of life for half a minute. Rejects with `FolderInUseError`, or `RunFolderError` when the folder cannot be used.
 */
export async function claimFolder(dir: string, clock: Clock): Promise<FolderClaim> {
  const path = join(dir, CLAIM_FILE);
  const identity = processIdentity();
  claims += 1;
  // Of two claims in this process only one may be released by its holder.
  const text = `${JSON.stringify({ ...identity, claim: claims })}\n`;
  const draft = `${path}.${identity.host}-${identity.pid}-${claims}`;
  try {
    await makeFolder(dir);
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      await writeFile(draft, text);
      if (await place(path, draft, text)) return holdClaim(path, text, clock);
      const found = await find(path, draft);
      if (found === null) continue;
      if (isHeld(found)) throw new FolderInUseError(dir, CLAIM_FILE, { ...found.claim });
      const taken = await takeOver({ path, draft, text }, found);
      if (taken === true) return holdClaim(path, text, clock);
      if (taken !== false) throw new FolderInUseError(dir, CLAIM_FILE, { ...taken.claim });
    }
    throw new FolderInUseError(dir, CLAIM_FILE, {});
  } catch (error) {
    if (error instanceof FolderInUseError) throw error;
    throw new RunFolderError(`cannot use ${dir} for a run: ${describeError(error)}; give another folder`, {
      cause: error,
    });
  } finally {
    // What went wrong above is told, not that there is nothing to remove.
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

function holdClaim(path: string, text: string, clock: Clock): FolderClaim {
  let isReleased = false;
  let cancel = (): void => undefined;
  let beating = Promise.resolve();

  // The same bytes once more: the file system dates the file by its own clock, and nobody reads half of it.
  async function giveSign(): Promise<void> {
    if ((await readFile(path, 'utf8')) !== text) return;
    const file = await open(path, 'r+');
    try {
      await file.write(text, 0);
    } finally {
      await file.close();
    }
  }
  function schedule(): void {
    cancel = clock.after(SIGN_OF_LIFE_MS, () => {
      beating = giveSign()
        // A disk that is away for a moment may come back; the next sign tells.
        .catch(() => undefined)
        .then(() => {
          if (!isReleased) schedule();
        });
    });
  }
  schedule();

  return {
    async release() {
      if (isReleased) return;
      isReleased = true;
      cancel();
      await beating;
      const found = await readFile(path, 'utf8').catch(() => null);
      if (found === text) await rm(path, { force: true });
    },
  };
}
