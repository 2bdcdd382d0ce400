import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);
const THROWS_CODE =
  /(?:\b(?:UsageError|ParlorError|[A-Z]\w+Error)|\bsuper)\(\s*'([a-z][a-z0-9]*(?:-[a-z0-9]+)*)'/g;

function codesInSource(): Set<string> {
  const codes = sources.flatMap((name) =>
    [...readFileSync(join(root, 'src', name), 'utf8').matchAll(THROWS_CODE)].map(
      (match) => match[1] as string,
    ),
  );
  return new Set(codes.filter((code) => code !== 'exit'));
}

function codesInDocs(): Set<string> {
  const text = readFileSync(join(root, 'docs/errors.md'), 'utf8');
  return new Set([...text.matchAll(/^### `([^`]+)`/gm)].map((match) => match[1] as string));
}

describe('docs/errors.md', () => {
  it('has a heading for every code that the source can throw', () => {
    const documented = codesInDocs();
    const missing = [...codesInSource()].filter((code) => !documented.has(code));
    expect(missing, 'add "### `code`" with cause and cure to docs/errors.md').toEqual([]);
  });

  it('describes no code that is gone', () => {
    const thrown = codesInSource();
    expect([...codesInDocs()].filter((code) => !thrown.has(code))).toEqual([]);
  });
});
