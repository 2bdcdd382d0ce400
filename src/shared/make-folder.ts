import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it. One after the other: Node's own recursive `mkdir` never comes back below a folder that
 * denies that anything can be in it, such as /proc. Rejects with the system's error.
 */
export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = [];
  for (let at = path; !(await exists(at)); at = dirname(at)) missing.push(at);
  for (const folder of missing.reverse())
    await mkdir(folder).catch(async (error: NodeJS.ErrnoException) => {
      // Somebody else was quicker.
      if (error.code !== 'EEXIST') throw error;
    });
  // A file in the way is told as such.
  if (missing.length === 0 && !(await stat(path)).isDirectory()) await mkdir(path);
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return path === dirname(path);
    throw error;
  }
}
