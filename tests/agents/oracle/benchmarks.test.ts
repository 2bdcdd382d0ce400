import { describe, expect, it } from 'vitest';
import { loadDomain } from '../../../src/retail/index.js';
import { playOracle, transcript } from '../../helpers/play-oracle.js';
import { hasReferenceData, referencePath } from '../../helpers/reference-data.js';

/** Every task once takes a minute; here each benchmark gives a share, and `parlor run` plays them all. */
describe.skipIf(!hasReferenceData)('the oracle on the two benchmarks', () => {
  it.each([
    ['tau1', 'tau', 4],
    ['tau2', 'tau2', 1],
  ] as const)(
    'succeeds on tasks of %s under the rule %s',
    async (source, rule, step) => {
      const domain = await loadDomain(referencePath('data', `${source}-retail`));
      const tasks = domain.tasks
        .filter(({ splits }) => splits.includes('test'))
        .filter((_, place) => place % step === 0);
      const played = await playOracle(domain, tasks, { rule });
      const failed = played
        .filter(({ success }) => !success)
        .map((each) => `${each.task.id}\n${transcript(each)}`);
      expect(failed).toEqual([]);
      expect(played.length).toBeGreaterThan(25);
    },
    120_000,
  );
});
