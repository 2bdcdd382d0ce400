import {
  type EpisodeRecord,
  type MemoryRecords,
  parseEpisode,
  type RecordEvent,
} from '../../episodes/index.js';
import {
  createRuleJudge,
  createTurnBatch,
  gae,
  grpo,
  gtpo,
  hybrid,
  mtGrpo,
  placePerTurn,
  placeTrajectory,
  REWARD_TABLES,
  type RolloutInput,
  rloo,
  type ScoreLine,
  type Scorer,
  scoreRun,
  type TokenLayout,
} from '../../scoring/index.js';
import type { Clock } from '../../shared/index.js';
import { askNumpy } from './numpy-reference.js';

export interface NumpyComparison {
  readonly numpy: string;
  readonly numpySeconds: number;
  /** The same, computed here. */
  readonly ownSeconds: number;
  readonly largestDifference: number;
}

export interface ScoringTiming {
  readonly episodes: number;
  readonly turns: number;
  /** Records parsed, judged by the rule judge, rewards of both kinds, GRPO. */
  readonly scoreSeconds: number;
  /** RLOO, MT-GRPO, GTPO, hybrid, and PPO with GAE in both placements. */
  readonly advantageSeconds: number;
  /** Of the process, for both: what one core needed, also where others kept the machine busy. */
  readonly cpuSeconds: number;
  /** Or why numpy was not asked. */
  readonly reference: NumpyComparison | string;
}

/** Where ours and numpy's differ by more, one of them is wrong. */
export const NUMPY_TOLERANCE = 1e-9;
const NUMPY_REPEATS = 9;
/** Records hold no tokens, so PPO is timed on turns of this many. */
const TOKENS_PER_TURN = 40;

/** The records as text, each `copies` times under tasks of its own, so that groups keep their size. */
export function copyRecords({ episodes }: Pick<MemoryRecords, 'episodes'>, copies: number): string[] {
  const write = (event: RecordEvent, copy: number): string =>
    JSON.stringify(
      event.type === 'episode'
        ? {
            ...event,
            episode: `${event.episode}-copy${copy}`,
            task: { ...event.task, id: `${event.task.id}-copy${copy}` },
          }
        : event,
    );
  return Array.from({ length: copies }, (_, copy) =>
    [...episodes.values()].map((events) => `${events.map((event) => write(event, copy)).join('\n')}\n`),
  ).flat();
}

function parse(text: string, index: number): EpisodeRecord {
  const { record, faults } = parseEpisode(text, `bench-${index}`);
  if (record === null || faults.length > 0)
    throw new RangeError('the bench wrote a record that cannot be read');
  return record;
}

function groupsOf(lines: readonly ScoreLine[]): RolloutInput[][] {
  const groups = new Map<string, RolloutInput[]>();
  for (const { group, outcome, turns } of lines) {
    const rollout = { outcome: outcome ?? 0, turnRewards: turns.map((turn) => turn.tierReward) };
    const there = groups.get(group);
    if (there === undefined) groups.set(group, [rollout]);
    else there.push(rollout);
  }
  return [...groups.values()];
}

function layOutTokens(turnOffsets: Uint32Array): TokenLayout {
  const turns = turnOffsets.at(-1) ?? 0;
  return {
    tokenOffsets: turnOffsets.map((offset) => offset * TOKENS_PER_TURN),
    mask: new Uint8Array(turns * TOKENS_PER_TURN).fill(1),
    turnOffsets,
    turnEnds: Uint32Array.from({ length: turns }, (_, turn) => (turn + 1) * TOKENS_PER_TURN - 1),
  };
}

function computeOthers(groups: readonly (readonly RolloutInput[])[]): void {
  const batch = createTurnBatch(groups);
  rloo(batch.outcomes, batch.groupOffsets);
  mtGrpo(batch);
  gtpo(batch);
  hybrid(batch);
  const layout = layOutTokens(batch.turnOffsets);
  const values = new Float64Array(layout.mask.length);
  const placed = [
    placePerTurn(layout, batch.turnRewards, batch.outcomes),
    placeTrajectory(layout, grpo(batch.outcomes, batch.groupOffsets).values),
  ];
  for (const rewards of placed) gae({ ...layout, rewards, values });
}

function largestDifference(own: Float64Array, theirs: readonly number[]): number {
  if (own.length !== theirs.length) return Number.POSITIVE_INFINITY;
  return own.reduce(
    (most, value, index) => Math.max(most, Math.abs(value - (theirs[index] ?? Number.NaN))),
    0,
  );
}

export interface ScoringBenchOptions {
  readonly clock: Pick<Clock, 'nowMs'>;
  /** The interpreter that is asked for numpy. */
  readonly python: string;
}

async function compareWithNumpy(
  groups: readonly (readonly RolloutInput[])[],
  { clock, python }: ScoringBenchOptions,
): Promise<NumpyComparison | string> {
  const reply = await askNumpy(python, groups, NUMPY_REPEATS);
  if (typeof reply === 'string') return reply;
  const seconds: number[] = [];
  let difference = 0;
  for (let repeat = 0; repeat < NUMPY_REPEATS; repeat += 1) {
    const startMs = clock.nowMs();
    const batch = createTurnBatch(groups);
    const outcomes = grpo(batch.outcomes, batch.groupOffsets);
    const turns = hybrid(batch);
    seconds.push((clock.nowMs() - startMs) / 1000);
    difference = Math.max(
      largestDifference(outcomes.values, reply.grpo),
      largestDifference(turns.values, reply.hybrid),
    );
  }
  seconds.sort((a, b) => a - b);
  return {
    numpy: reply.numpy,
    numpySeconds: reply.seconds,
    ownSeconds: seconds[NUMPY_REPEATS >> 1] ?? 0,
    largestDifference: difference,
  };
}

/** Scores records (their text) as `parlor score` does, then computes every other advantage; one core, one process. */
export async function benchScoring(
  records: readonly string[],
  options: ScoringBenchOptions,
): Promise<ScoringTiming> {
  const { clock } = options;
  const scorer: Scorer = {
    judge: createRuleJudge(),
    turnScale: '5/T',
    outcome: 'recorded',
    rewards: REWARD_TABLES.v6,
    advantage: 'grpo',
  };
  const startCpu = process.cpuUsage();
  const startMs = clock.nowMs();
  const { lines } = await scoreRun(records.map(parse), scorer, { policyOf: () => '' });
  const scoredMs = clock.nowMs();
  const groups = groupsOf(lines);
  computeOthers(groups);
  const doneMs = clock.nowMs();
  const cpu = process.cpuUsage(startCpu);
  return {
    episodes: lines.length,
    turns: lines.reduce((sum, line) => sum + line.turns.length, 0),
    scoreSeconds: (scoredMs - startMs) / 1000,
    advantageSeconds: (doneMs - scoredMs) / 1000,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
    reference: await compareWithNumpy(groups, options),
  };
}
