// Compiles src to dist with tsc and copies what tsc leaves behind (prompts, policies, report templates).
// It is made beside dist and put in its place at the end: commands that run meanwhile find all their files.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const ASSETS = /\.(md|html|css|jinja|client\.js|svg|json|py)$/;

const dist = join(root, 'dist');
const [made, old] = [`${dist}.new-${process.pid}`, `${dist}.old-${process.pid}`];
const compiled = spawnSync(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '-p', root, '--outDir', made],
  { stdio: 'inherit' },
);
if (compiled.status !== 0) {
  rmSync(made, { recursive: true, force: true });
  process.exit(compiled.status ?? 1);
}
for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !ASSETS.test(entry.name)) continue;
  const from = join(entry.parentPath, entry.name);
  cpSync(from, join(made, from.slice(join(root, 'src').length)));
}
chmodSync(join(made, 'cli/main.js'), 0o755);
if (existsSync(dist)) renameSync(dist, old);
renameSync(made, dist);
rmSync(old, { recursive: true, force: true });
