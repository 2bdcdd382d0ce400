import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { encodeWav } from '../../../src/audio/index.js';
import { type EpisodeRecord, type RecordEvent, runPaths } from '../../../src/episodes/index.js';
import {
  createRuleJudge,
  REWARD_TABLES,
  scorePath,
  scoreRun,
  writeScores,
} from '../../../src/scoring/index.js';
import { canonicalJson, sha256Hex } from '../../../src/shared/index.js';
import { temporaryFolder } from '../../helpers/temporary-folder.js';
import { call, makeRecord, makeTask, type Step } from '../../scoring/record-builder.js';

export const POLICY = '# Policy\n\nLook things up first.\n';
export const TOOLS = [
  {
    name: 'get_order_details',
    description: 'Shows an order.',
    inputSchema: { type: 'object', properties: { order_id: { type: 'string' } }, required: ['order_id'] },
  },
  {
    name: 'cancel_pending_order',
    description: 'Cancels an order.',
    inputSchema: { type: 'object', properties: { order_id: { type: 'string' }, reason: { type: 'string' } } },
  },
];

/** A clip of so many samples whose content depends on `tone`. */
export function makeClip(tone: number, samples: number): { sha256: string; wav: Buffer; samples: number } {
  const data = Int16Array.from({ length: samples }, (_, at) =>
    Math.round(8000 * Math.sin((at * (tone + 1)) / 20)),
  );
  const wav = Buffer.from(encodeWav({ sampleRateHz: 16_000, samples: data }));
  return { sha256: sha256Hex(wav), wav, samples };
}

export interface SampleRunOptions {
  readonly tasks?: number;
  readonly trials?: number;
  /** Words of the customer, in turn; default plain ones. */
  readonly words?: readonly string[];
  readonly splits?: readonly string[];
  /** Where to; default a folder of the running test's own. */
  readonly folder?: string;
  /** Episode seed by trial; default one per task, as training groups have. */
  readonly seedOf?: (task: number, trial: number) => number;
}

function withSound(record: EpisodeRecord, clips: Map<string, Buffer>, tone: number): EpisodeRecord {
  let utterance = 0;
  const events = record.events.map((event): RecordEvent => {
    if (event.type !== 'customer') return event;
    const clip = makeClip(tone + utterance, 1600 + 160 * (utterance % 3));
    clips.set(clip.sha256, clip.wav);
    utterance += 1;
    const audio = {
      ...{ sha256: clip.sha256, sampleRateHz: 16_000, samples: clip.samples, durationMs: clip.samples / 16 },
    };
    return { ...event, utterance: utterance - 1, spoken: event.text, audio };
  });
  return { ...record, events };
}

function stepsOf(trial: number, order: string): Step[] {
  const look = { call: call('get_order_details', { order_id: order }), content: '{"status":"pending"}' };
  const cancel = {
    ...{ call: call('cancel_pending_order', { order_id: order, reason: 'no longer needed' }) },
    content: '{"status":"cancelled"}',
  };
  if (trial % 3 === 2) return ['Which order?', look, 'I cannot do that.'];
  if (trial % 3 === 1) return ['Which order?', look, 'Shall I?', 'Really?', cancel, 'Done ☕.'];
  return ['Which order?', look, 'Shall I cancel it?', cancel, 'Your order is cancelled. Anything else?'];
}

/** Records of a small run: every task in both modes, trials of which every third fails. */
export function sampleRecords(options: SampleRunOptions = {}): {
  records: EpisodeRecord[];
  clips: Map<string, Buffer>;
} {
  const {
    tasks = 3,
    trials = 3,
    words = ['Hello, cancel it.', 'yes', 'thanks'],
    splits = ['train'],
  } = options;
  const seedOf = options.seedOf ?? ((task) => 100 + task);
  const clips = new Map<string, Buffer>();
  const records: EpisodeRecord[] = [];
  for (let place = 0; place < tasks; place += 1)
    for (const mode of ['speech', 'text'] as const)
      for (let trial = 0; trial < trials; trial += 1) {
        const order = `#W${1000 + place}`;
        const task = makeTask(
          `train-${place}`,
          [call('cancel_pending_order', { order_id: order, reason: 'no longer needed' })],
          { splits: [...splits] },
        );
        const seed = seedOf(place, trial);
        const made = makeRecord(task, stepsOf(trial, order), {
          success: trial % 3 !== 2,
          header: {
            ...{ episode: `train-${place}.${mode}.t${trial}.s${seed}`, mode, seed, trial },
            voice: mode === 'speech' ? 'slt-even' : null,
            ...{ policyHash: sha256Hex(POLICY), toolsHash: sha256Hex(canonicalJson(TOOLS)) },
          },
        });
        const spoken = words[0] === undefined ? made : withWords(made, words);
        records.push(mode === 'speech' ? withSound(spoken, clips, 10 * place) : spoken);
      }
  return { records, clips };
}

function withWords(record: EpisodeRecord, words: readonly string[]): EpisodeRecord {
  let place = 0;
  const events = record.events.map((event): RecordEvent => {
    if (event.type !== 'customer') return event;
    place += 1;
    return { ...event, utterance: place - 1, text: words[(place - 1) % words.length] ?? '' };
  });
  return { ...record, events };
}

/** Writes records as a run folder. */
export function writeRun(
  dir: string,
  records: readonly EpisodeRecord[],
  clips: ReadonlyMap<string, Buffer>,
): void {
  const paths = runPaths(dir);
  mkdirSync(paths.episodes, { recursive: true });
  mkdirSync(paths.audio, { recursive: true });
  writeFileSync(paths.policy, POLICY);
  writeFileSync(paths.tools, JSON.stringify(TOOLS));
  for (const { header, events } of records)
    writeFileSync(
      paths.episode(header.episode),
      events.map((event) => `${JSON.stringify(event)}\n`).join(''),
    );
  for (const [sha256, wav] of clips) writeFileSync(paths.clip(sha256), wav);
}

/** A run folder with its scores, in a temporary folder of the running test. */
export async function sampleRun(options: SampleRunOptions = {}): Promise<{ dir: string; scores: string }> {
  const dir = join(options.folder ?? temporaryFolder(), 'run');
  const { records, clips } = sampleRecords(options);
  writeRun(dir, records, clips);
  return { dir, scores: await scoreRecords(dir, records) };
}

/** Scores records by the rule judge; gives the file's path. */
export async function scoreRecords(dir: string, records: readonly EpisodeRecord[]): Promise<string> {
  const scores = await scoreRun(
    records,
    {
      ...{ judge: createRuleJudge(), turnScale: '5/T', outcome: 'recorded', advantage: 'grpo' },
      rewards: REWARD_TABLES.v6,
    },
    { policyOf: () => POLICY },
  );
  const path = scorePath(dir, scores.scorer.hash);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, writeScores(scores));
  return path;
}
