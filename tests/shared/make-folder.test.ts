import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../src/shared/index.js';
import { temporaryFolder } from '../helpers/temporary-folder.js';

describe('making a folder', () => {
  it('makes those above it, takes what is there, and several makers may meet', async () => {
    const path = join(temporaryFolder(), 'a', 'b', 'c');
    await Promise.all(Array.from({ length: 8 }, () => makeFolder(path)));
    await makeFolder(path);
    expect(statSync(path).isDirectory()).toBe(true);
  });

  it('says when a file is in the way', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    await expect(makeFolder(file)).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(makeFolder(join(file, 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it.skipIf(!existsSync('/proc/self'))(
    'comes back where nothing can be made (skipped without /proc)',
    async () => {
      await expect(makeFolder('/proc/parlor/run')).rejects.toMatchObject({ code: 'ENOENT' });
    },
  );
});
