import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { trainingDomain } from '../../../src/cli/running/domains.js';
import {
  hardenTask,
  layOut,
  parseSchedule,
  simplifyTask,
  TARL_SCHEDULE,
} from '../../../src/dataset/index.js';
import { builtInDomain, generateTrainingTasks } from '../../../src/retail/index.js';
import { createRandom } from '../../../src/shared/index.js';
import { playOracle } from '../../helpers/play-oracle.js';
import { temporaryFolder } from '../../helpers/temporary-folder.js';
import { cli } from '../../helpers/terminal.js';

describe('a curriculum', () => {
  it('keeps its shares over time to less than one task, and takes tasks in order', () => {
    const schedule = parseSchedule(
      JSON.stringify({
        version: 1,
        batch: { tasks: 7, rollouts: 2 },
        phases: [{ name: 'a', steps: 30, shares: { maths: 0.3, text: 0.5, speech: 0.2 } }],
      }),
      'schedule',
    );
    const totals = { maths: 0, text: 0, speech: 0 };
    let slots = 0;
    for (const { tasks } of layOut(schedule)) {
      expect(tasks).toHaveLength(7);
      for (const { source, place } of tasks) {
        expect(place).toBe(totals[source]);
        totals[source] += 1;
      }
      slots += 7;
      expect(Math.abs(totals.maths - 0.3 * slots)).toBeLessThan(1);
      expect(Math.abs(totals.text - 0.5 * slots)).toBeLessThan(1);
      expect(Math.abs(totals.speech - 0.2 * slots)).toBeLessThan(1);
    }
  });

  it('warms up on simplified tasks, then makes about half of the retail instructions harder', () => {
    const steps = [...layOut(TARL_SCHEDULE)];
    const warm = steps.filter(({ phase }) => phase === 'warm-up').flatMap(({ tasks }) => tasks);
    const mixed = steps.filter(({ phase }) => phase === 'mixed').flatMap(({ tasks }) => tasks);
    expect(warm.every((task) => task.isSimplified && !task.isHarder && task.source !== 'maths')).toBe(true);
    expect(mixed.some(({ source, isHarder }) => source === 'maths' && isHarder)).toBe(false);
    const retail = mixed.filter(({ source }) => source !== 'maths');
    expect(retail.filter(({ isHarder }) => isHarder).length / retail.length).toBeCloseTo(0.5, 1);
    expect([...layOut(TARL_SCHEDULE)]).toEqual(steps);
  });

  it('names the place of a fault in a schedule', () => {
    const wrong = { version: 1, phases: [{ name: 'a', steps: 3, shares: { maths: 0.5 } }] };
    expect(() => parseSchedule(JSON.stringify(wrong), 'mine.json')).toThrow(
      'mine.json, at phases.0.shares: shares must sum to 1',
    );
    expect(() => parseSchedule('{', 'mine.json')).toThrow('expected a schedule as JSON');
  });

  it('has names that a terminal only prints, whatever its file holds', () => {
    const phase = { name: 'a', steps: 3, shares: { text: 1 } };
    const read = (changes: object) => () =>
      parseSchedule(JSON.stringify({ version: 1, phases: [{ ...phase, ...changes }] }), 'mine.json');
    for (const name of ['a\u001b[31m', 'a\nb', '\u009b2J', 'a\u202eb', 'a\u2028b', '\u0000'])
      expect(read({ name }), JSON.stringify(name)).toThrow(
        'mine.json, at phases.0.name: a name must not hold control characters',
      );
    expect(read({ name: 'Aufwärmen, 2. Teil ✓' })().phases[0]?.name).toBe('Aufwärmen, 2. Teil ✓');
    expect(read({ '\u001b[31m': 1 })).toThrow('mine.json, at phases.0: Unrecognized key: "?[31m"');
  });

  it('changes tasks without changing what is right: the reference agent still passes simplified and harder ones', async () => {
    const tasks = generateTrainingTasks({ count: 24, seed: 3 });
    const random = createRandom(1);
    const simple = tasks.flatMap((task) => simplifyTask(task) ?? []);
    const harder = tasks.flatMap((task) => hardenTask(task, random) ?? []);
    expect(simple.length).toBeGreaterThan(4);
    expect(harder.length).toBeGreaterThan(8);
    const played = await playOracle(trainingDomain([...simple, ...harder]), [...simple, ...harder]);
    const failed = played.filter(({ success }) => !success).map(({ task }) => task.id);
    expect(failed).toEqual([]);
    expect(builtInDomain().tasks.some(({ tags }) => tags.includes('harder'))).toBe(false);
  }, 60_000);

  it('is shown step by step, with a picture of the mix', async () => {
    const cwd = temporaryFolder();
    const shown = await cli(['curriculum', 'show', '--steps', '12', '--picture', 'mix.svg'], { cwd });
    expect(shown.exitCode).toBe(0);
    expect(shown.stdout).toContain('60 steps of 32 tasks x 4 rollouts');
    expect(shown.stdout.match(/warm-up/g)).toHaveLength(10);
    expect(readFileSync(join(cwd, 'mix.svg'), 'utf8')).toContain('<title>speech</title>');
    const made = await cli(['curriculum', 'problems', '--count', '7', '--seed', '4'], { cwd });
    expect(made.stdout.trim().split('\n')).toHaveLength(7);
    expect((await cli(['curriculum', 'show', 'nowhere.json'], { cwd })).exitCode).toBe(2);
  });
});
