import { basename, join, resolve } from 'node:path';
import { UsageError } from '../../shared/index.js';
import type { RetailDomain } from '../contract.js';
import { createWorld } from '../create-world.js';
import { createDomain } from '../domain.js';
import { dataFault, describeValue } from '../parse-data.js';
import type { Task } from '../task.js';
import { checkTasks } from './check-tasks.js';
import { listFolder, readJsonFile, readTextFile } from './read-file.js';
import { readTau1Tasks } from './tau1-tasks.js';
import { readTau2Tasks } from './tau2-tasks.js';

const TAU2_FILES = ['db.json', 'tasks.json', 'split_tasks.json', 'policy.md'];
const TAU1_FILES = ['users.json', 'products.json', 'orders.json', 'wiki.md'];
const TAU1_TASKS = /^tasks_(.+)\.json$/;

/** tau-bench v1 gives each map a file of its own; joined they are the same database. */
async function readTau1World(folder: string): Promise<unknown> {
  const files = await Promise.all(
    ['users', 'products', 'orders'].map(async (name) => {
      const file = await readJsonFile(folder, `${name}.json`);
      if (typeof file.data !== 'object' || file.data === null || Array.isArray(file.data))
        throw dataFault(file.name, [], {
          expected: `expected an object of ${name} by id`,
          came: describeValue(file.data),
        });
      return [name, file.data] as const;
    }),
  );
  return Object.fromEntries(files);
}

async function loadTau1(folder: string, files: ReadonlySet<string>): Promise<RetailDomain> {
  const label = basename(folder);
  const splits = [...files].flatMap((file) => TAU1_TASKS.exec(file)?.[1] ?? []).toSorted();
  if (splits.length === 0)
    throw new UsageError(
      'missing-file',
      `${folder}: expected a file tasks_<split>.json, e.g. tasks_test.json; got none`,
    );
  const [worldJson, policy, tasks] = await Promise.all([
    readTau1World(folder),
    readTextFile(join(folder, 'wiki.md')),
    Promise.all(
      splits.map(async (split) => readTau1Tasks(await readJsonFile(folder, `tasks_${split}.json`), split)),
    ),
  ]);
  const world = createWorld(worldJson, ([map, ...path]) => ({ file: `${label}/${String(map)}.json`, path }));
  return finish({ source: 'tau1', label, world, rules: 'tau1', policy, tasks: tasks.flat() });
}

async function loadTau2(folder: string): Promise<RetailDomain> {
  const label = basename(folder);
  const [database, tasksFile, splitsFile, policy] = await Promise.all([
    readJsonFile(folder, 'db.json'),
    readJsonFile(folder, 'tasks.json'),
    readJsonFile(folder, 'split_tasks.json'),
    readTextFile(join(folder, 'policy.md')),
  ]);
  const world = createWorld(database.data, database.name);
  const tasks: Task[] = readTau2Tasks(tasksFile, splitsFile);
  return finish({ source: 'tau2', label, world, rules: 'tau2', policy, tasks });
}

function finish(parts: Parameters<typeof createDomain>[0]): RetailDomain {
  checkTasks(parts.tasks, parts.world, parts.label);
  return createDomain(parts);
}

/**
 * Loads a retail domain from a tau2-bench folder (db.json, tasks.json, split_tasks.json, policy.md) or a tau-bench v1
 * folder (users.json, products.json, orders.json, tasks_<split>.json, wiki.md); which of the two is told by its files.
 * @throws UsageError that names the file, the place inside it, what was expected and what came: `no-such-folder`,
 *   `unknown-data-format`, `missing-file`, `file-too-large`, `broken-json`, `invalid-data`, `unknown-record`,
 *   `duplicate-task`, `unsupported-task`.
 */
export async function loadDomain(dir: string): Promise<RetailDomain> {
  const folder = resolve(dir);
  const files = await listFolder(folder);
  const count = (names: readonly string[]) => names.filter((name) => files.has(name)).length;
  if (count(TAU1_FILES) + count(TAU2_FILES) === 0)
    throw new UsageError(
      'unknown-data-format',
      `${folder}: expected the files of tau2-bench (${TAU2_FILES.join(', ')}) or of tau-bench (${TAU1_FILES.join(', ')}, tasks_<split>.json); got none of them`,
      { facts: { folder } },
    );
  return files.has('db.json') || count(TAU2_FILES) > count(TAU1_FILES)
    ? await loadTau2(folder)
    : await loadTau1(folder, files);
}
