// Compiles src to dist with tsc and copies what tsc leaves behind (prompts, policies, report templates).
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const ASSETS = /\.(md|html|css|jinja|client\.js|svg|json|py)$/;

rmSync(join(root, 'dist'), { recursive: true, force: true });
const compiled = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', root], {
  stdio: 'inherit',
});
if (compiled.status !== 0) process.exit(compiled.status ?? 1);
for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !ASSETS.test(entry.name)) continue;
  const from = join(entry.parentPath, entry.name);
  cpSync(from, join(root, 'dist', from.slice(join(root, 'src').length)));
}
chmodSync(join(root, 'dist/cli/main.js'), 0o755);
