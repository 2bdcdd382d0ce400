import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDomain } from '../../../src/cli/running/domains.js';
import { builtInDomain, generateTrainingTasks, type Task } from '../../../src/retail/index.js';

function fileOf(tasks: readonly Task[]): { readonly data: string; readonly cwd: string } {
  const cwd = mkdtempSync(join(tmpdir(), 'parlor-domains-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(join(cwd, 'train.jsonl'), tasks.map((task) => `${JSON.stringify(task)}\n`).join(''));
  return { data: 'train.jsonl', cwd };
}

it('a file of generated tasks as --data is the built-in shop with these tasks', async () => {
  const tasks = generateTrainingTasks({ count: 3, seed: 7 });
  const domain = await openDomain('retail', fileOf(tasks));
  expect(domain.tasks).toEqual(tasks);
  expect(domain.worldHash()).toBe(builtInDomain().worldHash());
});

it('a file with tasks of another shop is refused with the task’s name', async () => {
  const [task] = generateTrainingTasks({ count: 1, seed: 7 });
  if (task === undefined) throw new RangeError('no task');
  const where = fileOf([{ ...task, userId: 'nobody_1' }]);
  await expect(openDomain('retail', where)).rejects.toThrow(`task ${task.id} has a customer whom`);
});
