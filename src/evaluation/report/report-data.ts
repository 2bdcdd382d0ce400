import type { EpisodeRecord, RecordEvent } from '../../episodes/index.js';
import type { Task } from '../../retail/index.js';
import type { EpisodeSlot } from '../episode-slots.js';
import { fillSlots } from '../episode-slots.js';
import { type HeardTurn, readHearing } from '../hearing/read-hearing.js';
import type { EpisodeLabel } from '../labels.js';
import { type CallFacts, readCallFacts } from '../metrics/call-facts.js';
import { type CallSegment, readTimeline } from '../metrics/call-timeline.js';
import { readFacts } from '../metrics/episode-facts.js';
import type { RunData } from '../metrics/run-summary.js';
import { RECORDINGS, recordingFiles } from '../recordings/record-call.js';

/** One line of the list of episodes: what the filters and the closed row need. */
interface EpisodeRow {
  readonly episode: string;
  readonly task: string;
  readonly trial: number;
  readonly mode: string;
  readonly state: 'passed' | 'failed' | 'invalid' | 'cut short';
  readonly reward: number | null;
  readonly reason: string | null;
  readonly owner: string | null;
  readonly turns: number;
  readonly audioSeconds: number;
  readonly faults: readonly string[];
}

/** The rest of an episode, read by the page when its row is opened. */
interface EpisodeBody {
  readonly voice: string | null;
  readonly seed: number;
  readonly events: readonly RecordEvent[];
  readonly faults: EpisodeLabel['faults'];
  /** Addresses of the call's recording beside the page; null: there is none. */
  readonly recording: ReturnType<typeof recordingFiles> | null;
  /** Turn by turn what was said, heard and passed to tools; null in text. */
  readonly hearing: readonly HeardTurn[] | null;
  /** With turn-taking. */
  readonly call?: { readonly facts: CallFacts; readonly timeline: readonly CallSegment[] };
}

type TaskView = Pick<
  Task,
  | 'instruction'
  | 'parts'
  | 'groundTruth'
  | 'communicate'
  | 'assertions'
  | 'rewardBasis'
  | 'difficulty'
  | 'tags'
> & { readonly doubts: readonly string[] };

export interface ReportData {
  readonly rows: readonly EpisodeRow[];
  readonly bodies: readonly EpisodeBody[];
  readonly tasks: Readonly<Record<string, TaskView>>;
  /** Content hashes of the clips that are spoken, in the order in which the list shows them. */
  readonly clips: readonly string[];
}

function stateOf(slot: EpisodeSlot, record: EpisodeRecord): EpisodeRow['state'] {
  if (slot.state === 'invalid') return 'invalid';
  if (slot.state === 'missing') return 'cut short';
  return record.outcome?.success === true ? 'passed' : 'failed';
}

function toRow(slot: EpisodeSlot, record: EpisodeRecord, faults: EpisodeLabel['faults']): EpisodeRow {
  const facts = readFacts(record);
  const { episode, task, trial, mode } = record.header;
  return {
    episode,
    task: task.id,
    trial,
    mode,
    state: stateOf(slot, record),
    reward: facts?.reward ?? null,
    reason: facts?.reason ?? record.end?.reason ?? null,
    owner: facts?.owner ?? record.end?.owner ?? null,
    turns: facts?.turns ?? 0,
    audioSeconds: facts?.audioSeconds ?? 0,
    faults: [...new Set(faults.map((fault) => fault.kind))],
  };
}

function toTaskView(task: Task, run: RunData): TaskView {
  const { instruction, parts, groundTruth, communicate, assertions, rewardBasis, difficulty, tags } = task;
  const doubts = run.manifest.groundTruthFaults
    .filter((fault) => fault.task === task.id)
    .map(
      (fault) => `call ${fault.callIndex + 1}, ${fault.call}, fails on the untouched world: ${fault.error}`,
    );
  return { instruction, parts, groundTruth, communicate, assertions, rewardBasis, difficulty, tags, doubts };
}

function addressesOf(episode: string): ReturnType<typeof recordingFiles> {
  const { wav, picture, labels, facts } = recordingFiles(episode);
  const address = (name: string): string => `${RECORDINGS}/${encodeURIComponent(name)}`;
  return { wav: address(wav), picture: address(picture), labels: address(labels), facts: address(facts) };
}

function callOf(record: EpisodeRecord): Pick<EpisodeBody, 'call'> {
  const [facts, timeline] = [readCallFacts(record), readTimeline(record)];
  return facts === null || timeline === null ? {} : { call: { facts, timeline } };
}

/** What the page shows: task by task, within a task trial by trial, speech before text. */
export function collectReportData(run: RunData, recordings: ReadonlySet<string>): ReportData {
  const place = new Map(run.manifest.tasks.map((task, index) => [task, index]));
  const labels = new Map(run.labels.map((label) => [label.episode, label.faults]));
  const slots = fillSlots(run.manifest, run.records).sort(
    (a, b) => (place.get(a.plan.task) ?? 0) - (place.get(b.plan.task) ?? 0) || a.plan.trial - b.plan.trial,
  );
  const rows: EpisodeRow[] = [];
  const bodies: EpisodeBody[] = [];
  const tasks: Record<string, TaskView> = {};
  const clips = new Set<string>();
  for (const slot of slots) {
    const { record } = slot;
    if (record === null) continue;
    const faults = labels.get(record.header.episode) ?? [];
    rows.push(toRow(slot, record, faults));
    // The header repeats the whole task; the page has each task once.
    const events = record.events.filter((event) => event.type !== 'episode');
    const { episode, voice, seed } = record.header;
    const recording = recordings.has(episode) ? addressesOf(episode) : null;
    const hearing = readHearing(record);
    bodies.push({ voice, seed, events, faults, recording, hearing, ...callOf(record) });
    tasks[record.header.task.id] ??= toTaskView(record.header.task, run);
    for (const event of events)
      if ((event.type === 'customer' || event.type === 'aside') && event.audio !== null)
        clips.add(event.audio.sha256);
  }
  return { rows, bodies, tasks, clips: [...clips] };
}
