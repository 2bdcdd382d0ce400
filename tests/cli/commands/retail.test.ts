import { describe, expect, it } from 'vitest';
import { tau1Files, tau2Files, writeFolder } from '../../helpers/data-folder.js';
import { hasReferenceData, referencePath } from '../../helpers/reference-data.js';
import { cli } from '../../helpers/terminal.js';

const episode = {
  id: 'one',
  semantics: 'tau2',
  calls: [
    { name: 'calculate', arguments: { expression: '1+1' }, ok: true, result: 2 },
    {
      name: 'cancel_pending_order',
      arguments: { order_id: '#W0000002', reason: 'no longer needed' },
      ok: false,
      error: 'not pending',
    },
  ],
  changes: [] as unknown[],
};

function record(...episodes: object[]): string {
  return writeFolder({ 'calls.jsonl': episodes.map((each) => JSON.stringify(each)).join('\n') });
}

describe('parlor retail replay', () => {
  it('exits with 0 when everything comes out as recorded', async () => {
    const data = writeFolder(tau2Files());
    const result = await cli(['retail', 'replay', '--tau2', data, `${record(episode)}/calls.jsonl`]);
    expect(result).toMatchObject({ exitCode: 0, stderr: '' });
    expect(result.stdout).toMatch(/calls\.jsonl: 1 episodes, 2 calls, all as recorded\n$/);
  });

  it('prints each mismatch with episode, call and place, and exits with 1', async () => {
    const data = writeFolder(tau2Files());
    const wrong = {
      ...episode,
      id: 'two',
      calls: [{ ...episode.calls[0], result: 3 }],
      changes: [{ path: '/orders/#W0000001/status', value: 'cancelled' }],
    };
    const file = `${record(episode, wrong)}/calls.jsonl`;
    const result = await cli(['retail', 'replay', '--tau2', data, file]);
    expect(result.exitCode).toBe(1);
    expect(result.stdout.split('\n')).toEqual([
      'two  call 0 calculate  value: expected 3, got 2',
      'two  database  /orders/#W0000001/status: expected "cancelled", got no change',
      `${file}: 2 episodes, 3 calls, 1 differ`,
      '',
    ]);
    const json = await cli(['retail', 'replay', '--json', '--tau2', data, file]);
    expect(json.exitCode).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      files: [
        {
          file,
          mismatches: [
            { episodeId: 'two', callIndex: 0 },
            { episodeId: 'two', callIndex: null },
          ],
        },
      ],
      totals: { episodes: 2, calls: 3, mismatches: 2, failedEpisodes: 1 },
    });
  });

  it('exits with 2 and one line on wrong usage', async () => {
    const data = writeFolder(tau2Files());
    const old = writeFolder(tau1Files());
    const file = `${record(episode)}/calls.jsonl`;
    const empty = `${writeFolder({ 'calls.jsonl': '\n' })}/calls.jsonl`;
    const cases: [string[], RegExp][] = [
      [['--tau2', data, 'nope.jsonl'], /recording at "nope\.jsonl"/],
      [['--tau2', 'nope', file], /data folder/],
      [['--tau1', data, file], /--tau1 expects a tau1 folder/],
      [['--tau1', old, file], /--tau2 DIR/],
      [['--tau2', data, empty], /at least one recorded episode/],
    ];
    for (const [args, message] of cases) {
      const result = await cli(['retail', 'replay', ...args]);
      expect(result.exitCode).toBe(2);
      expect(result.stderr).toMatch(message);
      expect(result.stderr.trimEnd()).not.toContain('\n');
    }
    expect((await cli(['retail', 'replay'])).exitCode).toBe(2);
  });

  it.skipIf(!hasReferenceData)('passes on all given recordings (needs ../shared, else skipped)', async () => {
    const files = ['fuzz', 'tau1_tasks', 'tau2_tasks'].map((name) =>
      referencePath('conformance', 'retail', `${name}.jsonl`),
    );
    const folders = [
      '--tau1',
      referencePath('data', 'tau1-retail'),
      '--tau2',
      referencePath('data', 'tau2-retail'),
    ];
    const result = await cli(['retail', 'replay', ...folders, ...files]);
    expect(result).toMatchObject({ exitCode: 0, stderr: '' });
    expect(result.stdout).toMatch(/total: 1375 episodes, 4432 calls, 0 differ\n$/);
  });
});
