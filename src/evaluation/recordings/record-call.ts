import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  decodeWav,
  drawCallPicture,
  encodeStereoWav,
  formatAudacityLabels,
  mixCall,
  type Pcm,
} from '../../audio/index.js';
import { type EpisodeRecord, runPaths } from '../../episodes/index.js';
import { type CallLayout, layOutCall, type PlacedUtterance } from './call-layout.js';

/** The folder of a run's recordings, and a call's files in it. */
export const RECORDINGS = 'recordings';
export const recordingFiles = (episode: string) => ({
  wav: `${episode}.wav`,
  picture: `${episode}.svg`,
  labels: `${episode}.labels.txt`,
  facts: `${episode}.json`,
});

/** Telephone speech needs less, neural voices hardly more. */
const SAMPLE_RATE_HZ = 16_000;
const FORMAT_VERSION = 1;

interface Label {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
}

/** Every stretch of the call as a label, customer's and agent's apart. */
function labelsOf({ utterances, tools, effects, interrupts }: CallLayout) {
  const said = (side: PlacedUtterance['side']): Label[] =>
    utterances
      .filter((utterance) => utterance.side === side)
      .map(({ startMs, endMs, text, audio, cut }) => ({
        ...{ startMs, endMs },
        text: `${text}${audio === null ? ' (no sound)' : ''}${cut ? ' (broken off)' : ''}`,
      }));
  const called = tools.map(({ startMs, endMs, name, ok }) => ({
    ...{ startMs, endMs },
    text: `${name}${ok === false ? ' (error)' : ok === null ? ' (no result)' : ''}`,
  }));
  return {
    customer: said('customer'),
    agent: [...said('agent'), ...called],
    effects: effects.map(({ startMs, endMs, kind }) => ({ startMs, endMs, text: kind })),
    interrupts: interrupts.map(({ atMs, by }) => ({
      ...{ startMs: atMs, endMs: atMs, text: `the ${by} breaks in` },
    })),
  };
}

/** Under the labels of what was said those of its words, where their times are known. */
function audacityText(labels: ReturnType<typeof labelsOf>, { utterances }: CallLayout): string {
  const words = utterances.flatMap(({ side, words: timed = [] }) =>
    timed.map(({ startMs, endMs, word }) => ({ startMs, endMs, text: `${side} word: ${word}` })),
  );
  const others = Object.entries(labels).flatMap(([track, list]) =>
    list.map((label) => ({ ...label, text: `${track}: ${label.text}` })),
  );
  return formatAudacityLabels([...others, ...words]);
}

/** As much of the clip as was sent. */
function partOf({ samples, sampleRateHz }: Pcm, { startMs, endMs }: PlacedUtterance): Pcm {
  const length = Math.round(((endMs - startMs) * sampleRateHz) / 1000);
  return { samples: samples.subarray(0, length), sampleRateHz };
}

export interface RecordedCall {
  /** Clips that the run folder does not hold, or that are no sound. */
  readonly missing: readonly string[];
}

/**
 * Writes the recording of a spoken call beside its record: stereo WAV (customer left, agent right), a picture of both, labels
 * for Audacity and the same as JSON. All of it follows from the record and its clips, byte for byte. Null: nothing was spoken.
 */
export async function recordCall(dir: string, record: EpisodeRecord): Promise<RecordedCall | null> {
  const layout = layOutCall(record);
  if (!layout.utterances.some(({ audio }) => audio !== null)) return null;
  const paths = runPaths(dir);
  const sides: Record<PlacedUtterance['side'], { startMs: number; clip: Pcm }[]> = {
    customer: [],
    agent: [],
  };
  const missing: string[] = [];
  for (const utterance of layout.utterances) {
    if (utterance.audio === null) continue;
    try {
      const clip = decodeWav(await readFile(paths.clip(utterance.audio.sha256)));
      sides[utterance.side].push({ startMs: utterance.startMs, clip: partOf(clip, utterance) });
    } catch {
      missing.push(utterance.audio.sha256);
    }
  }
  // What has no sound takes its time all the same, also at the end.
  const silence = { samples: new Int16Array(1), sampleRateHz: SAMPLE_RATE_HZ };
  const endMs = Math.max(0, layout.durationMs - 1000 / SAMPLE_RATE_HZ);
  const call = mixCall(
    { ...sides, agent: [...sides.agent, { startMs: endMs, clip: silence }] },
    SAMPLE_RATE_HZ,
  );
  const labels = labelsOf(layout);
  const { episode, voice } = record.header;
  const facts = {
    ...{
      version: FORMAT_VERSION,
      episode,
      sampleRateHz: SAMPLE_RATE_HZ,
      channels: ['customer', 'agent'],
      voice,
    },
    ...layout,
    utterances: layout.utterances.map(({ audio, ...rest }) => ({ ...rest, sha256: audio?.sha256 ?? null })),
    missing,
  };
  const files = recordingFiles(episode);
  const folder = join(dir, RECORDINGS);
  await mkdir(folder, { recursive: true });
  const write = async (name: string, content: string | Uint8Array): Promise<void> => {
    // Readers see a whole file or none.
    const draft = join(folder, `${name}.tmp`);
    await writeFile(draft, content);
    await rename(draft, join(folder, name));
  };
  await write(files.wav, encodeStereoWav(call.left, call.right, call.sampleRateHz));
  await write(files.picture, drawCallPicture(call, { labels }));
  await write(files.labels, audacityText(labels, layout));
  await write(files.facts, `${JSON.stringify(facts, null, 2)}\n`);
  return { missing };
}
