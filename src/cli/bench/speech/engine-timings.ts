import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ParlorError } from '../../../shared/index.js';
import { createSpeaker, type Speaker, type Synthesizer, type Voice } from '../../../speech/index.js';
import type { Stopwatch } from '../measure.js';

/** Real-time factors: seconds of work for a second of speech, one line after another. */
interface EngineFactors {
  /** The first line of a new engine: programs found, weights and code loaded. */
  readonly cold: number;
  readonly coldMs: number;
  readonly warm: number;
  /** Of the processor's time of this process and its threads; programs beside it are not counted. */
  readonly ownCpu: number;
  /** Medians over the same lines asked for again: by the same process, and by a new one that finds them on disk. */
  readonly fromMemoryMs: number;
  readonly fromDiskMs: number;
}

export interface EngineTiming {
  readonly engine: string;
  readonly voiceId: string;
  /** Or why this voice cannot speak here. */
  readonly factors: EngineFactors | string;
}

interface EnginesPlace {
  readonly clock: Stopwatch;
  readonly cpu: Stopwatch;
  readonly voicesDir: string;
  /** A new engine for all voices of the folder, with one thread. */
  readonly open: () => Synthesizer;
  /** Lines beside the first one. */
  readonly lines: number;
}

const FIRST_LINE = 'Good morning, I am calling about something that I ordered last week.';
const THINGS = ['keyboard', 'desk lamp', 'water bottle', 'pair of boots', 'office chair'];

/** As customers speak, each different from all others. */
const lineOf = (number: number): string =>
  `I would like to return the ${THINGS[number % THINGS.length]} of order W${4_000_000 + 7919 * number}, please.`;

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

async function timeEach(
  speaker: Speaker,
  voice: Voice,
  { texts, clock }: { texts: readonly string[]; clock: Stopwatch },
): Promise<{ tookMs: number[]; spokenMs: number }> {
  const tookMs: number[] = [];
  let spokenMs = 0;
  for (const text of texts) {
    const startMs = clock.nowMs();
    const { durationMs } = await speaker.speak(text, voice);
    tookMs.push(clock.nowMs() - startMs);
    spokenMs += durationMs;
  }
  return { tookMs, spokenMs };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

async function timeVoice(voice: Voice, cacheDir: string, place: EnginesPlace): Promise<EngineFactors> {
  const { clock, cpu, voicesDir, open, lines } = place;
  const texts = Array.from({ length: lines }, (_, i) => lineOf(i));
  const speakers: Speaker[] = [];
  const speakerWith = async (): Promise<Speaker> => {
    const speaker = await createSpeaker({ engine: open(), voicesDir, cacheDir });
    speakers.push(speaker);
    return speaker;
  };
  try {
    const startMs = clock.nowMs();
    const speaker = await speakerWith();
    const first = await speaker.speak(FIRST_LINE, voice);
    const coldMs = clock.nowMs() - startMs;
    const startCpuMs = cpu.nowMs();
    const warm = await timeEach(speaker, voice, { texts, clock });
    const ownCpu = (cpu.nowMs() - startCpuMs) / warm.spokenMs;
    const again = await timeEach(speaker, voice, { texts, clock });
    const later = await speakerWith();
    // What the engine needs to name itself is part of the first line only.
    await later.identify(voice);
    const found = await timeEach(later, voice, { texts, clock });
    return {
      ...{ cold: coldMs / first.durationMs, coldMs, warm: sum(warm.tookMs) / warm.spokenMs, ownCpu },
      ...{ fromMemoryMs: median(again.tookMs), fromDiskMs: median(found.tookMs) },
    };
  } finally {
    for (const speaker of speakers) await speaker.close();
  }
}

/** The first voice of each engine among these. */
export async function timeEngines(
  voices: readonly Voice[],
  place: EnginesPlace,
): Promise<readonly EngineTiming[]> {
  const firsts = new Map([...voices].reverse().map((voice) => [voice.engine, voice] as const));
  const timings: EngineTiming[] = [];
  for (const voice of [...firsts.values()].reverse()) {
    const cacheDir = await mkdtemp(join(tmpdir(), 'parlor-bench-'));
    const { engine, id: voiceId } = voice;
    try {
      timings.push({ engine, voiceId, factors: await timeVoice(voice, cacheDir, place) });
    } catch (error) {
      if (!(error instanceof ParlorError)) throw error;
      timings.push({ engine, voiceId, factors: error.message });
    } finally {
      await rm(cacheDir, { recursive: true, force: true });
    }
  }
  return timings;
}
