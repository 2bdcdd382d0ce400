import { describe, expect, it } from 'vitest';
import { summariseRun } from '../../../src/evaluation/metrics/run-summary.js';
import { makeManifest, makeRecord } from '../helpers/records.js';

describe('the summary of a run', () => {
  it('gives both estimators, worked by hand for two tasks of two trials', () => {
    // a: pass, pass; b: fail, pass.
    // combinatorial: k=1 (1 + 1/2)/2 = 0.75, k=2 (1 + 0)/2 = 0.5; first-k: k=1 (1 + 0)/2 = 0.5, k=2 0.5; pass@2 = 1.
    const summary = summariseRun({
      manifest: makeManifest(),
      records: [
        makeRecord({ task: 'a', trial: 0 }),
        makeRecord({ task: 'a', trial: 1 }),
        makeRecord({ task: 'b', trial: 0, success: false }),
        makeRecord({ task: 'b', trial: 1 }),
      ],
      labels: [],
    });
    const [mode] = summary.modes;
    expect(mode?.pass.map((row) => row.combinatorial.mean)).toEqual([0.75, 0.5]);
    expect(mode?.pass.map((row) => row.firstK.mean)).toEqual([0.5, 0.5]);
    expect(mode?.pass.map((row) => row.passAt.mean)).toEqual([0.75, 1]);
    expect(mode?.episodes).toEqual({ planned: 4, finished: 4, passed: 3, failed: 1, invalid: 0, missing: 0 });
    expect(mode?.means.turns).toEqual({ mean: 3, episodes: 4 });
    expect(mode?.means.toolErrors.mean).toBe(1);
    expect(mode?.means.customerWords.mean).toBe(8);
    expect(mode?.scores.database).toEqual({ mean: 0.75, episodes: 4 });
    expect(mode?.scores.communicate).toEqual({ mean: null, episodes: 0 });
    expect(summary.pairs).toBeNull();
  });

  it('keeps what the agent did in the denominator, and what platform or simulated customer spoiled out of it, each with its owner', () => {
    const summary = summariseRun({
      manifest: makeManifest({ tasks: ['a', 'b', 'c', 'd'], trials: 1 }),
      records: [
        makeRecord({ task: 'a' }),
        makeRecord({ task: 'b', success: false, reason: 'agent_disconnected' }),
        makeRecord({ task: 'c', success: false, reason: 'customer_failed' }),
        makeRecord({ task: 'd', success: false, reason: 'platform_failed' }),
      ],
      labels: [],
    });
    const [mode] = summary.modes;
    expect(mode?.episodes).toMatchObject({ finished: 2, passed: 1, failed: 1, invalid: 2, missing: 0 });
    expect(mode?.faultOwners).toEqual({ agent: 1, user: 1, platform: 1 });
    expect(mode?.pass[0]?.combinatorial).toMatchObject({ mean: 1 / 2, tasks: 2 });
    expect(mode?.passCountingInvalid?.[0]?.combinatorial).toMatchObject({ mean: 1 / 4, tasks: 4 });
    expect(mode?.ends.map((end) => `${end.owner}/${end.reason}`)).toEqual([
      'agent/agent_disconnected',
      'user/customer_stop',
    ]);
  });

  it('takes an episode that was cut short as missing, never as failed', () => {
    const summary = summariseRun({
      manifest: makeManifest({ tasks: ['a'], trials: 2 }),
      records: [makeRecord({ task: 'a', trial: 0, torn: true }), makeRecord({ task: 'a', trial: 1 })],
      labels: [],
    });
    expect(summary.modes[0]?.episodes).toMatchObject({ finished: 1, failed: 0, missing: 1 });
    expect(summary.modes[0]?.pass[0]?.combinatorial.mean).toBe(1);
    expect(summary.modes[0]?.pass[1]?.combinatorial.mean).toBeNull();
  });

  it('lets a good attempt win over a spoiled one of the same slot, in any order', () => {
    const spoiled = makeRecord({ task: 'a', reason: 'platform_failed', success: false });
    const good = makeRecord({ task: 'a' });
    for (const records of [
      [spoiled, good],
      [good, spoiled],
    ]) {
      const summary = summariseRun({
        manifest: makeManifest({ tasks: ['a'], trials: 1 }),
        records,
        labels: [],
      });
      expect(summary.modes[0]?.episodes).toMatchObject({ finished: 1, passed: 1, invalid: 0 });
    }
  });

  it('compares speech with text where both were run', () => {
    const summary = summariseRun({
      manifest: makeManifest({ tasks: ['a', 'b'], trials: 1, modes: ['speech', 'text'] }),
      records: [
        makeRecord({ task: 'a', mode: 'speech' }),
        makeRecord({ task: 'a', mode: 'text' }),
        makeRecord({ task: 'b', mode: 'speech', success: false }),
        makeRecord({ task: 'b', mode: 'text' }),
      ],
      labels: [],
    });
    expect(summary.pairs).toEqual({
      compared: 2,
      same: 1,
      different: [{ task: 'b', trial: 0, passedIn: 'text' }],
    });
  });

  it('counts unscored components by episode and injected faults by kind', () => {
    const record = makeRecord({ task: 'a', unscored: ['NL_ASSERTION'] });
    const fault = { kind: 'wrong_item' as const, turn: 3, announced: true, detail: 'x' };
    const summary = summariseRun({
      manifest: makeManifest({
        tasks: ['a'],
        trials: 1,
        agent: { name: 'oracle', options: { faults: 0.5 }, labels: true },
      }),
      records: [record],
      labels: [
        {
          type: 'label',
          episode: record.header.episode,
          task: 'a',
          mode: 'text',
          trial: 0,
          faults: [fault, fault],
        },
      ],
    });
    expect(summary.modes[0]?.unscored).toEqual([{ component: 'NL_ASSERTION', episodes: 1 }]);
    expect(summary.modes[0]?.injectedFaults).toEqual({
      labelled: 1,
      withFault: { kind: 'any', episodes: 1, passed: 1 },
      kinds: [{ kind: 'wrong_item', episodes: 1, passed: 1 }],
    });
  });
});
