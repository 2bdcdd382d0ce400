import { findConditions } from '../../../audio/index.js';
import type { Clock } from '../../../shared/index.js';
import {
  createConditionedSpeaker,
  createSpeaker,
  createVoiceEngines,
  defaultVoicesDir,
  loadVoices,
} from '../../../speech/index.js';
import type { Stopwatch } from '../measure.js';
import { type EngineTiming, timeEngines } from './engine-timings.js';
import { type LineTimings, timeLines } from './line-timings.js';
import { type MemoryGrowth, measureGrowth } from './memory-growth.js';
import { compareResamplers, type ResamplerComparison } from './resampler-comparison.js';

export interface SpeechBench {
  readonly engines: readonly EngineTiming[];
  readonly line: LineTimings;
  readonly resampling: ResamplerComparison;
  readonly memory: MemoryGrowth;
}

const EFFECTS = { warmUpLines: 150, budgetMs: 2000 } as const;

interface SpeechBenchOptions {
  readonly clock: Clock;
  /** The processor's time of this process, threads included: steadier than a clock where others work too. */
  readonly cpu: Stopwatch;
  /** The PATH variable's value: programs are found in its folders. */
  readonly searchPath: string;
  readonly readKey: (name: string) => string | undefined;
  readonly residentBytes: () => number;
  /** More voices, such as neural ones; the first of each engine is timed. */
  readonly voicesDir?: string | undefined;
  /** Lines of each engine. */
  readonly lines: number;
  /** Of sound, for detectors and resamplers. */
  readonly soundSeconds: number;
  readonly utterances: number;
}

/** Every engine that is here, what is done to their lines, and whether memory stays flat. Nothing runs beside what is timed. */
export async function benchSpeech(options: SpeechBenchOptions): Promise<SpeechBench> {
  const { clock, cpu, searchPath, readKey, lines, soundSeconds, utterances } = options;
  const engines: EngineTiming[] = [];
  for (const voicesDir of [
    defaultVoicesDir(),
    ...(options.voicesDir === undefined ? [] : [options.voicesDir]),
  ]) {
    const open = () => createVoiceEngines({ voicesDir, searchPath, readKey, workers: 1, clock });
    engines.push(...(await timeEngines(await loadVoices(voicesDir), { clock, cpu, voicesDir, open, lines })));
  }
  const line = await timeLines({ ...EFFECTS, clock: cpu, seconds: soundSeconds });
  const resampling = await compareResamplers(searchPath, { clock: cpu, seconds: soundSeconds });
  const speaker = createConditionedSpeaker(await createSpeaker(), findConditions('regular'));
  try {
    const memory = await measureGrowth(speaker, { utterances, residentBytes: options.residentBytes });
    return { engines, line, resampling, memory };
  } finally {
    await speaker.close();
  }
}
