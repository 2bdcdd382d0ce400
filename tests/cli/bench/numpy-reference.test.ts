import { spawnSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askNumpy } from '../../../src/cli/bench/numpy-reference.js';
import { createTurnBatch, grpo, hybrid, type RolloutInput } from '../../../src/scoring/index.js';
import { createRandom } from '../../../src/shared/index.js';
import { temporaryFolder } from '../../helpers/temporary-folder.js';

const hasNumpy = spawnSync('python3', ['-c', 'import numpy']).status === 0;

/** Groups of one to five rollouts of no to thirty turns, some of them all equal. */
function groups(): RolloutInput[][] {
  const random = createRandom(7);
  return Array.from({ length: 60 }, () => {
    const equal = random.chance(0.2);
    return Array.from({ length: random.int(1, 5) }, () => ({
      outcome: equal ? 1 : random.int(0, 1),
      turnRewards: Array.from({ length: random.int(0, 30) }, () => (equal ? 0 : random.int(-10, 10) / 10)),
    }));
  });
}

async function fakePython(script: string): Promise<string> {
  const path = join(await temporaryFolder(), 'python');
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

describe('advantages by plain numpy', () => {
  it.skipIf(!hasNumpy)(
    'are those computed here, to 1e-9 (needs numpy for python3, else skipped)',
    async () => {
      const given = groups();
      const batch = createTurnBatch(given);
      const reply = await askNumpy('python3', given, 1);
      if (typeof reply === 'string') throw new Error(reply);
      for (const [own, theirs] of [
        [grpo(batch.outcomes, batch.groupOffsets).values, reply.grpo],
        [hybrid(batch).values, reply.hybrid],
      ] as const) {
        expect(own.length).toBe(theirs.length);
        own.forEach((value, index) => {
          expect(Math.abs(value - (theirs[index] ?? Number.NaN))).toBeLessThan(1e-9);
        });
      }
    },
  );

  it('are not measured without an interpreter, and the reason is told', async () => {
    expect(await askNumpy('no-such-python', [], 1)).toMatch(/^no-such-python cannot be started: .*ENOENT/);
  });

  it('are not measured without numpy', async () => {
    const python = await fakePython(`echo "ModuleNotFoundError: No module named 'numpy'" >&2; exit 1`);
    expect(await askNumpy(python, groups(), 1)).toBe(`${python} has no numpy`);
  });

  it.each(['echo hello', 'echo "{}"', 'echo \'{"numpy":"2","seconds":"x","grpo":[],"hybrid":[]}\''])(
    'are not read from rubbish: %s',
    async (script) => {
      const python = await fakePython(script);
      expect(await askNumpy(python, groups(), 1)).toBe(`${python} printed something else than results`);
    },
  );
});
