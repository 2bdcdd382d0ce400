// Runs every fenced block of README.md and docs/ whose info string is `sh run`. (Programs in examples/ are run by tests.)
// Blocks of one file share a scratch folder that has the project as its working directory; `npx parlor` is the built command.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const LIMIT_MS = 300_000;

function markdownFiles() {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(root, 'docs', name));
  return [join(root, 'README.md'), ...docs.sort()];
}

function blocksOf(file) {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^```sh run\n([\s\S]*?)^```$/gm)].map((match) => ({
    where: `${relative(root, file)}:${text.slice(0, match.index).split('\n').length}`,
    command: ['bash', ['-euo', 'pipefail', '-c', match[1]]],
  }));
}

const scratch = mkdtempSync(join(tmpdir(), 'parlor-docs-'));
let failed = 0;
const jobs = markdownFiles().flatMap(blocksOf);
for (const { where, command } of jobs) {
  const [program, args] = command;
  const done = spawnSync(program, args, {
    cwd: root,
    env: { ...process.env, SCRATCH: scratch },
    encoding: 'utf8',
    timeout: LIMIT_MS,
  });
  const ok = done.status === 0;
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${where}`);
  if (!ok) {
    failed += 1;
    console.log(done.stdout, done.stderr, done.error ?? '');
  }
}
rmSync(scratch, { recursive: true, force: true });
console.log(`${jobs.length - failed} of ${jobs.length} blocks ran`);
process.exit(failed === 0 ? 0 : 1);
