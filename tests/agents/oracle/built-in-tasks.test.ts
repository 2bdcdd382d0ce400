import { describe, expect, it } from 'vitest';
import { builtInDomain } from '../../../src/retail/index.js';
import { playOracle, transcript } from '../../helpers/play-oracle.js';

/** Every eighth task, so that all kinds come up; `parlor run` plays them all. */
const STEP = 8;
const COMPLAINTS = /going (?:round )?in circles|isn't (?:working|getting)|not what I asked|did not ask/;

describe('the oracle and the scripted customer on the built-in tasks', () => {
  it('succeed on each, and no customer complains of a right agent', async () => {
    const domain = builtInDomain();
    const tasks = domain.tasks.filter((_, place) => place % STEP === 0);
    const played = await playOracle(domain, tasks, { rule: 'tau2' });
    const wrong = played.filter(
      (each) =>
        !each.success ||
        each.events.some((event) => event.type === 'customer' && COMPLAINTS.test(event.text)),
    );
    expect(wrong.map((each) => `${each.task.id}\n${transcript(each)}`)).toEqual([]);
    expect(played.length).toBeGreaterThan(30);
  }, 120_000);
});
