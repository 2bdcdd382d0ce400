import { claimFolder } from '../../episodes/index.js';
import { systemClock } from '../../shared/index.js';

/** Does the work while no other process may write into the folder; null: the work writes nowhere. @throws FolderInUseError */
export async function whileClaimed<Result>(dir: string | null, work: () => Promise<Result>): Promise<Result> {
  if (dir === null) return work();
  const claim = await claimFolder(dir, systemClock);
  try {
    return await work();
  } finally {
    await claim.release();
  }
}
