import { describe, expect, it } from 'vitest';
import { benchScoring, copyRecords } from '../../../src/cli/bench/scoring-bench.js';
import type { RecordEvent } from '../../../src/episodes/index.js';
import { builtInDomain } from '../../../src/retail/index.js';
import { playOracle } from '../../helpers/play-oracle.js';

describe('the scoring bench', () => {
  it('scores every copy of every record and says why numpy was not asked', async () => {
    const domain = builtInDomain();
    const played = await playOracle(domain, domain.tasks.slice(0, 3), { faultRate: 0.5 });
    const episodes = new Map<string, readonly RecordEvent[]>(
      played.map(({ report, events }) => [report.episode ?? '', events]),
    );
    const records = copyRecords({ episodes }, 4);
    expect(records).toHaveLength(12);
    const timing = await benchScoring(records, { clock: { nowMs: () => 5 }, python: 'no-such-python' });
    const turns = [...episodes.values()]
      .flat()
      .filter((event) => event.type === 'agent' || event.type === 'tool_call').length;
    expect(timing).toMatchObject({ episodes: 12, turns: 4 * turns, scoreSeconds: 0, advantageSeconds: 0 });
    expect(timing.reference).toMatch(/cannot be started/);
  });
});
