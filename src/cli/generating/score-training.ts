import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type EpisodeRecord, openRunFolder, readRun, runPaths } from '../../episodes/index.js';
import {
  type Calibration,
  CalibrationDataError,
  calibrate,
  createRuleJudge,
  REWARD_TABLES,
  type Rollout,
  type RunScores,
  rolloutOf,
  type ScoreAdvantage,
  type Scorer,
  scorePath,
  scoreRun,
  writeScores,
} from '../../scoring/index.js';

export interface ScoredTraining {
  /** Null: too few episodes, or all with the same outcome; the rewards are v6 as they stand. */
  readonly calibration: Calibration | null;
  /** Score file of each run, in the order given. */
  readonly files: readonly string[];
  readonly scores: readonly RunScores[];
}

/** A handful of episodes says nothing about which kinds of turns go with success. */
function calibrateIfPossible(rollouts: readonly Rollout[], seed: number): Calibration | null {
  try {
    return calibrate([rollouts], REWARD_TABLES.v6, { seed });
  } catch (error) {
    if (error instanceof CalibrationDataError) return null;
    throw error;
  }
}

/**
 * Judges the runs by the rule judge, with turn rewards calibrated on all their episodes together, and writes each run's
 * scores in place of those it had.
 */
export async function scoreTraining(
  dirs: readonly string[],
  options: {
    readonly advantage: ScoreAdvantage;
    readonly turnScale: Scorer['turnScale'];
    readonly seed: number;
  },
): Promise<ScoredTraining> {
  const runs: EpisodeRecord[][] = [];
  for (const dir of dirs) runs.push([...(await readRun(dir)).records]);
  // Maths has no tool calls whose worth could be found out.
  const shop = runs.flat().filter(({ header }) => header.source !== 'maths');
  const rollouts = shop.flatMap((record) => rolloutOf(record) ?? []);
  const calibration = calibrateIfPossible(rollouts, options.seed);
  const rewards = calibration?.rewards ?? REWARD_TABLES.v6;
  const scorer: Scorer = {
    ...{ judge: createRuleJudge(), turnScale: options.turnScale, outcome: 'recorded' },
    ...{ rewards, advantage: options.advantage },
  };
  const files: string[] = [];
  const scores: RunScores[] = [];
  for (const [place, dir] of dirs.entries()) {
    const policy = await readFile(runPaths(dir).policy, 'utf8');
    const scored = await scoreRun(runs[place] ?? [], scorer, { policyOf: () => policy });
    const path = scorePath(dir, scored.scorer.hash);
    await rm(dirname(path), { recursive: true, force: true });
    await mkdir(dirname(path), { recursive: true });
    await (await openRunFolder(dir)).writeWhole(path, writeScores(scored));
    files.push(path);
    scores.push(scored);
  }
  await (await openRunFolder(join(dirs[0] ?? '.'))).writeWhole(
    join(dirname(dirs[0] ?? '.'), 'rewards.json'),
    `${JSON.stringify(rewards, null, 2)}\n`,
  );
  return { calibration, files, scores };
}
