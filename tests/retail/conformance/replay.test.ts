import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { replayConformance } from '../../../src/retail/conformance/replay.js';
import { hasReferenceData, referenceDomain, referencePath } from '../../helpers/reference-data.js';

const folder = referencePath('conformance', 'retail');
const files = hasReferenceData ? readdirSync(folder).filter((file) => file.endsWith('.jsonl')) : [];

interface Episode {
  calls: { ok: boolean; result?: unknown; arguments: Record<string, unknown> }[];
  changes: { path: string; value: unknown }[];
}

function linesOf(file: string): string[] {
  return readFileSync(`${folder}/${file}`, 'utf8').trimEnd().split('\n');
}

describe.skipIf(!hasReferenceData)('replaying the recorded behaviour (needs ../shared, else skipped)', () => {
  const domains = hasReferenceData ? { tau1: referenceDomain('tau1'), tau2: referenceDomain('tau2') } : {};

  it('finds recordings', () => expect(files.length).toBeGreaterThanOrEqual(3));

  it.each(files)('every call and every change of %s comes out as recorded', (file) => {
    const lines = linesOf(file);
    const report = replayConformance(lines, domains, file);
    expect(report.mismatches).toEqual([]);
    expect(report.episodes).toBe(lines.length);
    expect(report.calls).toBeGreaterThan(200);
  });

  it('notices a changed result, a changed flag, a changed end state and a missing change', () => {
    const spoil = (change: (episode: Episode) => void): readonly { callIndex: number | null }[] => {
      const line = linesOf('tau2_tasks.jsonl').find(
        (text) => (JSON.parse(text) as Episode).changes.length > 2,
      );
      const episode = JSON.parse(line ?? '') as Episode;
      change(episode);
      return replayConformance([JSON.stringify(episode)], domains).mismatches;
    };
    expect(spoil(() => undefined)).toEqual([]);
    expect(
      spoil((episode) => {
        episode.calls[0] = { ...(episode.calls[0] as Episode['calls'][0]), result: 'someone_else' };
      }),
    ).toMatchObject([{ callIndex: 0, differences: [expect.stringMatching(/expected "someone_else", got/)] }]);
    expect(
      spoil((episode) => {
        episode.calls[1] = { ...(episode.calls[1] as Episode['calls'][0]), ok: false };
      }),
    ).toMatchObject([{ callIndex: 1, differences: [expect.stringMatching(/expected an error/)] }]);
    expect(
      spoil((episode) => {
        episode.changes.pop();
      }),
    ).toMatchObject([{ callIndex: null, differences: [expect.stringMatching(/expected no change, got/)] }]);
    expect(
      spoil((episode) => {
        episode.changes.push({ path: '/orders/#W0/status', value: 'lost' });
      }),
    ).toMatchObject([
      { callIndex: null, differences: ['/orders/#W0/status: expected "lost", got no change'] },
    ]);
    expect(
      spoil((episode) => {
        episode.changes[0] = { path: episode.changes[0]?.path ?? '', value: 'something else' };
      }),
    ).toMatchObject([
      { callIndex: null, differences: [expect.stringMatching(/expected "something else", got/)] },
    ]);
  });

  it('names the line and the place of a broken recording, and the flag that is missing', () => {
    expect(() => replayConformance(['', '{"id": 1'], domains, 'f.jsonl')).toThrow(
      /^f\.jsonl:2: expected one JSON object/,
    );
    expect(() =>
      replayConformance(['{"id":"a","semantics":"tau3","calls":[],"changes":[]}'], domains, 'f.jsonl'),
    ).toThrow(/f\.jsonl:1: at \/semantics: expected "tau1" or "tau2"; got "tau3"/);
    expect(() =>
      replayConformance(['{"id":"a","semantics":"tau1","calls":[],"changes":[]}'], {}, 'f.jsonl'),
    ).toThrow(/--tau1 DIR/);
  });
});
