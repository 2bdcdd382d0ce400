import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Option } from 'commander';
import {
  builtInMaths,
  createMathsCustomers,
  createMathsDomain,
  loadProblems,
  problemTask,
  verifyMaths,
} from '../../maths/index.js';
import {
  builtInDomain,
  createDomain,
  loadDomain,
  loadTasksFile,
  type OutcomeRule,
  type RetailDomain,
  type Task,
} from '../../retail/index.js';
import type { SandboxOptions } from '../../sandbox/index.js';
import { UsageError } from '../../shared/index.js';
import type { CustomerFactory } from '../../user/index.js';

const DOMAIN_NAMES = ['retail', 'maths'] as const;
export type DomainName = (typeof DOMAIN_NAMES)[number];

export const domainOption = (): Option =>
  new Option(
    '--domain <name>',
    'retail, or maths: problems with whole numbers as answers, in text; --data is then a file of problems (default: retail)',
  ).choices(DOMAIN_NAMES);

/** Where a domain's outcome rule comes from when nobody chose one. */
export const SOURCE_RULES: Readonly<Record<RetailDomain['source'], OutcomeRule>> = {
  ...{ parlor: 'tau2', tau1: 'tau', tau2: 'tau2', maths: 'tau2' },
};

/** Of a file's problems any may be trained on, so they have no split. */
async function loadMaths(path: string, name: string): Promise<RetailDomain> {
  const { problems } = await loadProblems(path);
  const tasks = problems.map((problem) => ({ ...problemTask(problem, ''), splits: [] }));
  return createMathsDomain(tasks, name);
}

/** The built-in shop with these tasks in place of its evaluation tasks. */
export function trainingDomain(tasks: readonly Task[]): RetailDomain {
  const { world, rules, policy } = builtInDomain();
  return createDomain({
    ...{ source: 'parlor', label: 'built-in, training tasks' },
    ...{ world, rules, policy, tasks: [...tasks] },
  });
}

/** A folder is a benchmark's; a file holds tasks for the built-in shop, as `parlor tasks generate` writes them. */
async function loadRetail(path: string): Promise<RetailDomain> {
  const found = await stat(path).catch(() => null);
  if (found?.isFile() !== true) return await loadDomain(path);
  const domain = trainingDomain(await loadTasksFile(path));
  const stranger = domain.tasks.find(({ userId }) => userId !== undefined && !domain.world.users.has(userId));
  if (stranger === undefined) return domain;
  throw new UsageError(
    'unknown-record',
    `${path}: task ${stranger.id} has a customer whom the built-in shop does not know; --data takes a file of parlor tasks generate, or a benchmark's folder`,
  );
}

/** @throws UsageError for a folder or file that cannot be used */
export async function openDomain(
  name: DomainName,
  { data, cwd }: { readonly data: string | null; readonly cwd: string },
): Promise<RetailDomain> {
  if (name === 'maths') return data === null ? builtInMaths() : await loadMaths(resolve(cwd, data), data);
  return data === null ? builtInDomain() : await loadRetail(resolve(cwd, data));
}

/** Customers and verifier of a domain that brings its own; both absent: the shop's. */
export function partsOf({ source }: RetailDomain): {
  readonly customers?: CustomerFactory;
  readonly verify?: NonNullable<SandboxOptions['verify']>;
} {
  return source === 'maths' ? { customers: createMathsCustomers(), verify: verifyMaths } : {};
}

/** Maths is written, and nobody but its own customers poses it. @throws UsageError */
export function checkMaths(flags: {
  readonly mode?: string | undefined;
  readonly user?: string | undefined;
  readonly liveJudge?: string | null | undefined;
  readonly conditions?: unknown;
}): void {
  const refuse = (what: string, why: string): never => {
    throw new UsageError('bad-option', `--domain maths takes no ${what}: ${why}`);
  };
  if (flags.mode !== undefined && flags.mode !== 'text') refuse(`--mode ${flags.mode}`, 'maths is text only');
  if (flags.user === 'model') refuse('--user model', 'a problem is posed as it stands');
  if (flags.liveJudge != null) refuse('--live-judge', 'the live judge knows the shop only');
  if (flags.conditions !== undefined) refuse('--conditions', 'there is no sound to change');
}
