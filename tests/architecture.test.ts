import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

/** What each room may import. `types-only` rooms may be imported with `import type` alone. See docs/architecture.md. */
const ROOMS: Record<string, { imports: string[]; typesOnly?: string[] }> = {
  shared: { imports: [] },
  protocol: { imports: ['shared'] },
  audio: { imports: ['shared'] },
  speech: { imports: ['shared', 'audio'] },
  retail: { imports: ['shared'] },
  models: { imports: ['shared'] },
  // The customer sees its brief and what was said: it may name the brief's types, never call the world.
  user: { imports: ['shared', 'models'], typesOnly: ['retail'] },
  // A second domain for the sandbox: problems in place of a shop.
  maths: { imports: ['shared'], typesOnly: ['retail', 'user'] },
  // An agent sees the wire. Ground truth reaches reference agents by constructor, as data.
  agents: { imports: ['shared', 'protocol', 'audio', 'models'], typesOnly: ['retail'] },
  episodes: { imports: ['shared', 'protocol', 'retail', 'user', 'speech'] },
  // What the sandbox drives itself, but for the playing, which the command line hands in.
  rollouts: { imports: ['shared', 'protocol'] },
  sandbox: { imports: ['shared', 'protocol', 'audio', 'speech', 'retail', 'user', 'episodes', 'rollouts'] },
  // Right of the record nothing happens: no sandbox, no agents.
  scoring: { imports: ['shared', 'protocol', 'retail', 'models', 'episodes'] },
  // `evaluation` drives agents through their contract and is handed the running sandbox's address.
  evaluation: {
    imports: ['shared', 'protocol', 'audio', 'retail', 'episodes', 'scoring'],
    typesOnly: ['agents'],
  },
  dataset: { imports: ['shared', 'protocol', 'audio', 'retail', 'models', 'maths', 'episodes', 'scoring'] },
  workers: { imports: ['shared', 'protocol', 'evaluation', 'episodes'] },
  dashboard: { imports: ['shared', 'protocol', 'retail', 'episodes', 'scoring', 'evaluation'] },
};
const WHOLE_HOUSE = ['cli', 'index.ts'];

const src = join(import.meta.dirname, '..', 'src');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

interface Import {
  from: string;
  to: string;
  door: boolean;
  typeOnly: boolean;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), 'utf8');
  const found: Import[] = [];
  for (const match of text.matchAll(/^\s*(import|export)\s+(type\s)?[^'";]*?from\s+'(\.[^']+)'/gm)) {
    const target = relative(src, join(src, dirname(file), match[3] as string));
    const room = target.split(sep)[0] as string;
    found.push({
      from: file,
      to: room,
      door: target === join(room, 'index.js') || target === 'index.js',
      typeOnly: match[2] !== undefined,
    });
  }
  return found;
}

describe('the walls', () => {
  it('every folder of src is a room of the plan', () => {
    const rooms = new Set(files.map((file) => file.split(sep)[0] as string));
    const unknown = [...rooms].filter((room) => !(room in ROOMS) && !WHOLE_HOUSE.includes(room));
    expect(
      unknown,
      'add the room to ROOMS in this test and to docs/architecture.md, or move the file',
    ).toEqual([]);
  });

  it('a room imports only what its row of the table lists, and only through the door', () => {
    const faults: string[] = [];
    for (const file of files) {
      const room = file.split(sep)[0] as string;
      const row = ROOMS[room];
      for (const { to, door, typeOnly } of importsOf(file)) {
        if (to === room) continue;
        if (!door && !WHOLE_HOUSE.includes(room))
          faults.push(`${file}: import from '${to}' goes around its door; use ${to}/index.js`);
        if (row === undefined) continue;
        if (row.imports.includes(to)) continue;
        if (row.typesOnly?.includes(to) && typeOnly) continue;
        faults.push(
          `${file}: '${room}' may not import '${to}'${row.typesOnly?.includes(to) ? ' except with `import type`' : ''}. ` +
            `Hand the value in as an argument, or move the code to the room that owns it.`,
        );
      }
    }
    expect(faults).toEqual([]);
  });

  it('the table has no cycle', () => {
    const order = Object.keys(ROOMS);
    const upward = order.flatMap((room, place) =>
      [...(ROOMS[room]?.imports ?? []), ...(ROOMS[room]?.typesOnly ?? [])]
        .filter((target) => order.indexOf(target) >= place)
        .map((target) => `${room} -> ${target}`),
    );
    expect(upward, 'imports point down the list only').toEqual([]);
  });

  it('only the command line reads the environment, prints or exits', () => {
    const faults = files
      .filter((file) => !file.startsWith(`cli${sep}`))
      .filter((file) =>
        /process\.(env|exit|stdout|stderr|argv)\b|console\./.test(readFileSync(join(src, file), 'utf8')),
      );
    expect(faults, 'take it as an argument; cli/ reads process and prints').toEqual([]);
  });
});
