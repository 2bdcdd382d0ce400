import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

const keptFolders: string[] = [];
afterAll(() => {
  for (const dir of keptFolders.splice(0)) rmSync(dir, { recursive: true, force: true });
});

/** A folder of the running test's own, gone when the test is over. */
export function temporaryFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'parlor-test-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A folder for all tests of a block, gone when they are over; for `beforeAll`, where there is no running test. */
export function keptFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'parlor-test-'));
  keptFolders.push(dir);
  return dir;
}
