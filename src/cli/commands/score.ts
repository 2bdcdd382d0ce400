import { mkdir, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { Option } from 'commander';
import { type EpisodeRecord, openRunFolder, readRun } from '../../episodes/index.js';
import { readLabels } from '../../evaluation/index.js';
import {
  type FaultLabel,
  judgementsIn,
  type RunScores,
  readScores,
  renderCreditPicture,
  renderScores,
  SCORE_ADVANTAGES,
  SCORE_OUTCOMES,
  type ScoreAdvantage,
  type ScoreOutcome,
  type Scorer,
  scorePath,
  scoreRun,
  summariseScores,
  writeScores,
} from '../../scoring/index.js';
import { sha256Hex, UsageError } from '../../shared/index.js';
import { addRecordOptions, addServerOptions } from '../models/model-flags.js';
import { didYouMean } from '../nearest.js';
import type { RegisterCommand } from '../program.js';
import { STRICT, tellDamage } from '../running/damage.js';
import { loadRewards } from '../running/load-rewards.js';
import { type JudgeFlags, openJudge, readGiven } from '../running/score-judge.js';
import type { Terminal } from '../terminal.js';

/** Missing judgements that are told one by one. */
const MAX_NAMED = 3;

interface ScoreFlags extends JudgeFlags {
  readonly rewardForm: Scorer['turnScale'];
  readonly outcome: ScoreOutcome;
  readonly rewards: string;
  readonly advantage: ScoreAdvantage;
  readonly against?: string;
  readonly picture?: string;
  readonly strict?: true;
  readonly json?: true;
}

/** Policies of a run folder by the hash that records name; an imported run can hold several. */
async function readPolicies(dir: string): Promise<(record: EpisodeRecord) => string | null> {
  const names = (await readdir(dir)).filter((name) => /^policy.*\.md$/.test(name)).sort();
  const byHash = new Map<string, string>();
  for (const name of names) {
    const text = await readFile(join(dir, name), 'utf8');
    byHash.set(sha256Hex(text), text);
  }
  const [first] = byHash.values();
  return ({ header }) => byHash.get(header.policyHash) ?? first ?? null;
}

/** Of several faults in one episode the first counts: the others follow. */
async function readFaults(dir: string): Promise<FaultLabel[]> {
  const labels = await readLabels(dir);
  return labels.map(({ episode, faults }) => {
    const [first] = faults.toSorted((a, b) => a.turn - b.turn);
    return { episode, fault: first === undefined ? null : { kind: first.kind, turn: first.turn } };
  });
}

/** @throws UsageError when the run has no such episode */
function findEpisode(name: string, records: readonly EpisodeRecord[]): EpisodeRecord {
  const record = records.find(({ header }) => header.episode === name);
  if (record !== undefined) return record;
  const names = records.map(({ header }) => header.episode);
  throw new UsageError(
    'no-episode',
    `no episode "${name}" in this run, one is called "${names[0]}"${didYouMean(name, names)}`,
  );
}

function drawCredit(name: string, scores: RunScores, records: readonly EpisodeRecord[]): string {
  const line = scores.lines.find(({ episode }) => episode === name);
  if (line === undefined) throw new RangeError(`no score for ${name}`);
  return renderCreditPicture(line, findEpisode(name, records), scores.scorer);
}

async function runScore(run: string, flags: ScoreFlags, terminal: Terminal): Promise<void> {
  const dir = resolve(terminal.cwd, run);
  const { records, faults } = await readRun(dir);
  const countDamage = tellDamage(
    faults.map(
      ({ file, line, problem }) => `${relative(dir, file)}${line === null ? '' : `:${line}`}: ${problem}`,
    ),
    { strict: flags.strict === true, terminal },
  );
  if (records.length === 0)
    throw new UsageError(
      'no-episodes',
      `${run} holds no episodes; give a folder that "parlor run" or "parlor import" made`,
    );
  if (flags.picture !== undefined) findEpisode(flags.picture, records);
  const scorer: Scorer = {
    judge: await openJudge(dir, flags, terminal),
    turnScale: flags.rewardForm,
    outcome: flags.outcome,
    rewards: await loadRewards(flags.rewards, terminal),
    advantage: flags.advantage,
  };
  const against =
    flags.against === undefined
      ? undefined
      : {
          name: basename(flags.against),
          judgements: judgementsIn(
            readScores(await readGiven(flags.against, 'the scores', terminal), flags.against),
          ),
        };
  const policyOf = await readPolicies(dir);
  if (records.some((record) => policyOf(record) === null))
    terminal.err(`parlor: ${run} holds no policy.md; judged without the policy\n`);
  const scores = await scoreRun(records, scorer, { policyOf });
  const unjudged = scores.lines.filter(
    ({ missing }) => missing !== null && missing.reason !== 'episode-unfinished',
  );
  for (const { episode, missing } of unjudged.slice(0, MAX_NAMED))
    terminal.err(`parlor: ${episode}: not judged (${missing?.reason}): ${missing?.detail}\n`);
  if (unjudged.length > MAX_NAMED)
    terminal.err(`parlor: and ${unjudged.length - MAX_NAMED} more; score again to ask for them\n`);
  const path = scorePath(dir, scores.scorer.hash);
  await mkdir(dirname(path), { recursive: true });
  const folder = await openRunFolder(dir);
  await folder.writeWhole(path, writeScores(scores));
  const summary = summariseScores(scores, { labels: await readFaults(dir), against });
  const file = join(run, relative(dir, path));
  const picture = flags.picture === undefined ? null : path.replace(/\.jsonl$/, `-${flags.picture}.svg`);
  if (picture !== null && flags.picture !== undefined)
    await folder.writeWhole(picture, drawCredit(flags.picture, scores, records));
  const shown = picture === null ? null : join(run, relative(dir, picture));
  terminal.out(
    flags.json === true
      ? `${JSON.stringify({ file, ...(shown === null ? {} : { picture: shown }), ...summary }, null, 2)}\n`
      : `${renderScores(summary)}\n\nscores  ${file}\n${shown === null ? '' : `picture ${shown}\n`}`,
  );
  countDamage();
}

/** `parlor score`: verdicts, rewards and advantages of a finished run, from its records alone. */
export const registerScore: RegisterCommand = (program, terminal) => {
  const command = program
    .command('score')
    .description(
      'Judge every turn of a finished run and compute rewards and advantages, from its records alone. Scores are written beside the records; score again as often as you like.',
    )
    .argument('<run>', 'a run folder')
    .addOption(
      new Option(
        '--judge <name>',
        'who gives the verdicts: rules (no model) or model (--base-url and --model, or --replay)',
      )
        .choices(['rules', 'model'])
        .default('rules'),
    )
    .addOption(
      new Option('--reward-form <form>', 'scale of the turn part of the TARL episode reward')
        .choices(['5/T', '1/T'])
        .default('5/T'),
    )
    .addOption(
      new Option('--outcome <rule>', 'R as recorded, or by another outcome rule from the sub-scores')
        .choices([...SCORE_OUTCOMES])
        .default('recorded'),
    )
    .option('--rewards <name>', 'reward per kind of turn: v5, v6 or a reward file', 'v6')
    .addOption(
      new Option('--advantage <name>', 'grpo and rloo compare episode rewards; the others compare turns')
        .choices([...SCORE_ADVANTAGES])
        .default('grpo'),
    )
    .option('--against <file>', 'another score file of the same run: print how far the two judges agree')
    .option(
      '--picture <episode>',
      'draw the credit that each turn of this episode got, as SVG beside the scores',
    )
    .option(...STRICT)
    .option('--json', 'print one JSON object instead of the table')
    .addHelpText(
      'after',
      '\nExample:\n  parlor score runs/mine\n  parlor score runs/mine --reward-form 1/T --rewards rewards.json --advantage hybrid --json',
    )
    .action((run: string, flags: ScoreFlags) => runScore(run, flags, terminal));
  addRecordOptions(addServerOptions(command));
};
