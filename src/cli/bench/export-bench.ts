import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { encodeWav } from '../../audio/index.js';
import { exportDataset, FORMATS, KEEP_ALL, NOT_ENCODED, openSource, WAV_CLIPS } from '../../dataset/index.js';
import { type EpisodeRecord, parseEpisode, type RecordEvent, runPaths } from '../../episodes/index.js';
import type { RetailDomain } from '../../retail/index.js';
import { describeAgentMaterial } from '../../sandbox/index.js';
import { type Clock, createRandom, describeError, sha256Hex } from '../../shared/index.js';

export interface ExportTiming {
  readonly episodes: number;
  /** Of the files written, sound inside. */
  readonly bytes: number;
  /** Reading and filtering the run, once. */
  readonly indexSeconds: number;
  readonly writeSeconds: number;
  /** Of the process, for index and writing. */
  readonly cpuSeconds: number;
  /** Largest memory of the process in the first and in the last third of writing. */
  readonly firstThirdBytes: number;
  readonly lastThirdBytes: number;
  /** The same files written by pyarrow on one core, or why it was not asked. */
  readonly reference: { readonly pyarrow: string; readonly seconds: number } | string;
}

const RATE_HZ = 16_000;
/** More than the exporter keeps in memory; four rollouts of a task share theirs, as groups do. */
const CLIPS = 1024;
const GROUP = 4;
const CLIP_SECONDS = 2;
const REFERENCE = fileURLToPath(new URL('./pyarrow-reference.py', import.meta.url));
const TIME_LIMIT_MS = 300_000;
const replySchema = z.object({ pyarrow: z.string(), seconds: z.number(), bytes: z.number() });

/** Noise, which nothing can make smaller. */
function makeClips(): { sha256: string; wav: Uint8Array }[] {
  return Array.from({ length: CLIPS }, (_, place) => {
    const random = createRandom(place);
    const samples = Int16Array.from({ length: CLIP_SECONDS * RATE_HZ }, () => random.int(-8000, 8000));
    const wav = encodeWav({ sampleRateHz: RATE_HZ, samples });
    return { sha256: sha256Hex(wav), wav };
  });
}

function spoken(record: EpisodeRecord, clips: ReturnType<typeof makeClips>, first: number): RecordEvent[] {
  return record.events.map((event): RecordEvent => {
    if (event.type === 'episode') return { ...event, mode: 'speech', voice: 'slt-even' };
    if (event.type !== 'customer') return event;
    const sha256 = clips[(first + event.utterance) % CLIPS]?.sha256 ?? '';
    const audio = {
      sha256,
      sampleRateHz: RATE_HZ,
      samples: CLIP_SECONDS * RATE_HZ,
      durationMs: 1000 * CLIP_SECONDS,
    };
    return { ...event, spoken: event.text, audio };
  });
}

async function writeRun(dir: string, texts: readonly string[], domain: RetailDomain): Promise<void> {
  const paths = runPaths(dir);
  await mkdir(paths.episodes, { recursive: true });
  await mkdir(paths.audio, { recursive: true });
  const { policy, tools } = describeAgentMaterial(domain);
  await writeFile(paths.policy, policy);
  await writeFile(paths.tools, JSON.stringify(tools));
  const clips = makeClips();
  for (const { sha256, wav } of clips) await writeFile(paths.clip(sha256), wav);
  for (const [place, text] of texts.entries()) {
    const { record } = parseEpisode(text, `bench-${place}`);
    if (record === null) throw new RangeError('the bench wrote a record that cannot be read');
    const lines = spoken(record, clips, 5 * Math.floor(place / GROUP)).map((event) => JSON.stringify(event));
    await writeFile(paths.episode(record.header.episode), `${lines.join('\n')}\n`);
  }
}

async function askPyarrow(python: string, dir: string): Promise<ExportTiming['reference']> {
  try {
    const { stdout } = await promisify(execFile)(python, [REFERENCE, dir], { timeout: TIME_LIMIT_MS });
    return replySchema.parse(JSON.parse(stdout));
  } catch (error) {
    const text = describeError(error);
    return /No module named 'pyarrow'/.test(text)
      ? `${python} has no pyarrow`
      : `${python}: ${text.slice(0, 200)}`;
  }
}

/** Exports episodes with sound to Parquet, and has pyarrow write the same table. @param texts records of text episodes */
export async function benchExport(
  texts: readonly string[],
  {
    domain,
    clock,
    python,
  }: { readonly domain: RetailDomain; readonly clock: Clock; readonly python: string },
): Promise<ExportTiming> {
  const folder = await mkdtemp(join(tmpdir(), 'parlor-bench-'));
  try {
    await writeRun(join(folder, 'run'), texts, domain);
    const startMs = clock.nowMs();
    const cpuBefore = process.cpuUsage();
    const input = { dir: join(folder, 'run'), label: 'bench', scores: null, otherScores: null };
    const source = await openSource([input], { voiceLicences: new Map(), speechTurns: 1 });
    const indexedMs = clock.nowMs();
    const peaks = [0, 0, 0];
    let rows = 0;
    const manifest = await exportDataset(source, {
      ...{ dir: join(folder, 'data'), purpose: 'eval', filters: KEEP_ALL, audioPrefix: '', privateTexts: [] },
      formats: [...FORMATS.values()].filter(({ name }) => name === 'hugging-face'),
      limits: { rows: 1000, audioBytes: 512e6, validation: 0 },
      coder: WAV_CLIPS,
      ...{ encode: () => NOT_ENCODED, tokenSettings: null, voiceLicences: new Map(), parlor: 'bench' },
      signal: new AbortController().signal,
      onRow: () => {
        const third = Math.min(2, Math.floor((3 * rows) / texts.length));
        rows += 1;
        if (rows % 20 === 0) peaks[third] = Math.max(peaks[third] ?? 0, process.memoryUsage().rss);
      },
    });
    const endMs = clock.nowMs();
    const cpu = process.cpuUsage(cpuBefore);
    await source.close();
    return {
      episodes: texts.length,
      bytes: manifest.files.reduce((sum, file) => sum + file.bytes, 0),
      ...{ indexSeconds: (indexedMs - startMs) / 1000, writeSeconds: (endMs - indexedMs) / 1000 },
      cpuSeconds: (cpu.user + cpu.system) / 1e6,
      ...{ firstThirdBytes: peaks[0] ?? 0, lastThirdBytes: peaks[2] ?? 0 },
      reference: await askPyarrow(python, join(folder, 'data', 'hugging-face')),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Megabytes a second, all of it on one core. */
export function formatExportBench(timing: ExportTiming): string {
  const { episodes, bytes, indexSeconds, writeSeconds, cpuSeconds, reference } = timing;
  const mb = bytes / 1e6;
  const seconds = indexSeconds + writeSeconds;
  const lines = [
    `export     ${episodes.toLocaleString('en-US')} episodes with sound, ${mb.toFixed(0)} MB of Parquet in ${seconds.toFixed(1)} s (${indexSeconds.toFixed(1)} s of it reading the run), ${cpuSeconds.toFixed(1)} s of CPU`,
    `           ${(mb / seconds).toFixed(0)} MB/s by the clock, ${(mb / cpuSeconds).toFixed(0)} MB per second of CPU`,
    `memory     ${(timing.firstThirdBytes / 1e6).toFixed(0)} MB at most in the first third, ${(timing.lastThirdBytes / 1e6).toFixed(0)} MB in the last`,
    typeof reference === 'string'
      ? `pyarrow    not measured: ${reference}`
      : `pyarrow    ${reference.pyarrow} writes the same tables from memory in ${reference.seconds.toFixed(1)} s (${(mb / reference.seconds).toFixed(0)} MB/s); ours, with reading, checking and converting, takes ${(seconds / reference.seconds).toFixed(1)} times that`,
  ];
  return `${lines.join('\n')}\n`;
}
