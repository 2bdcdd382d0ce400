import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtInDomain, type RetailDomain } from '../../../src/retail/index.js';
import { deedsIn, playCascade } from './play.js';

/** Every sixteenth task, so that all kinds come up; `parlor run` plays them all. */
const STEP = 16;
const ids = (domain: RetailDomain): string[] =>
  domain.tasks.filter((_, place) => place % STEP === 0).map(({ id }) => id);

/** The domain with tasks of which only what the customer plays from is left: no right answers, no prose. */
function withoutAnswers(domain: RetailDomain): RetailDomain {
  const tasks = domain.tasks.map((task) => ({
    ...task,
    instruction: 'Nothing to see here.',
    groundTruth: [],
    communicate: [],
    tags: [],
    difficulty: 'easy' as const,
  }));
  return { ...domain, tasks };
}

describe('the cascade in text mode', () => {
  it('solves a good share of the built-in tasks', async () => {
    const domain = builtInDomain();
    const played = await playCascade(domain, ids(domain));
    const solved = played.filter(({ success }) => success);
    expect(solved.length / played.length).toBeGreaterThan(0.4);
  }, 120_000);

  it('does the same when the tasks hold no answers: it knows only the customer, the policy and the tools', async () => {
    const domain = builtInDomain();
    const some = ids(domain).slice(0, 8);
    const [full, bare] = [await playCascade(domain, some), await playCascade(withoutAnswers(domain), some)];
    expect(bare.map(({ events }) => deedsIn(events))).toEqual(full.map(({ events }) => deedsIn(events)));
    expect(full.flatMap(({ events }) => deedsIn(events)).length).toBeGreaterThan(40);
  }, 120_000);

  it('imports nothing that knows tasks, customers or the world behind the tools', () => {
    const folder = resolve(import.meta.dirname, '../../../src/agents/cascade');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const imports = files.flatMap((name) =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(/from '([^']+)'/g)].map(([, from]) => from ?? ''),
    );
    expect(imports.length).toBeGreaterThan(30);
    expect(
      imports.filter((from) => /\/(?:retail|user|sandbox|evaluation|oracle|speech)\//.test(from)),
    ).toEqual([]);
  });

  it('notes in its record what it read before each action', async () => {
    const domain = builtInDomain();
    const [first] = await playCascade(domain, ids(domain).slice(0, 1));
    const said = first?.events.find((event) => event.type === 'customer');
    const answer = first?.events.find((event) => event.type === 'agent');
    expect(answer).toMatchObject({ reasoning: `read: ${said?.type === 'customer' ? said.text : ''}` });
  });
});
