import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const ID = /P-[A-Z]+-\d+/g;

function required(): string[] {
  const page = readFileSync(join(root, 'docs', 'protocol.md'), 'utf8');
  const list = page.split('\n## Requirements\n')[1]?.split('\n## ')[0] ?? '';
  // An id in brackets refers to a requirement; the others state one.
  return [...list.replaceAll(/\([^()]*\)/g, '').matchAll(/`(P-[A-Z]+-\d+)`/g)].map(([, id]) => id as string);
}

/** Ids in the names of tests. */
function cited(): Set<string> {
  const ids = new Set<string>();
  for (const file of readdirSync(join(root, 'tests'), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.test.ts') || file.endsWith('requirements.test.ts')) continue;
    for (const [citation] of readFileSync(join(root, 'tests', file), 'utf8').matchAll(/\[P-[A-Z]+-\d+\]/g))
      ids.add(citation.slice(1, -1));
  }
  return ids;
}

describe('the requirements of docs/protocol.md', () => {
  it('have ids of their own', () => {
    const ids = required();
    expect(ids.length).toBeGreaterThan(40);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are each cited by a test, and no test cites one that is not there', () => {
    const ids = new Set(required());
    const used = cited();
    expect(
      [...ids].filter((id) => !used.has(id)),
      'no test shows it',
    ).toEqual([]);
    expect(
      [...used].filter((id) => !ids.has(id)),
      'not in docs/protocol.md',
    ).toEqual([]);
  });

  it('are referred to by ids that exist', () => {
    const page = readFileSync(join(root, 'docs', 'protocol.md'), 'utf8');
    const ids = new Set(required());
    expect([...page.matchAll(ID)].map(([id]) => id).filter((id) => !ids.has(id))).toEqual([]);
  });
});
