export {
  createTurnBatch,
  type EpisodeAdvantages,
  type RolloutInput,
  spreadOverTurns,
  type TurnAdvantages,
  type TurnBatch,
} from './advantages/batch.js';
export {
  correlation,
  deadTurnShare,
  gradientShare,
  type TierAlignment,
  tierAlignment,
} from './advantages/diagnostics.js';
export { entropyMask, type TokenEntropy, tokenEntropy } from './advantages/entropy-mask.js';
export {
  type GaeInput,
  type GaeOptions,
  gae,
  placePerTurn,
  placeTrajectory,
  type TokenLayout,
  whiten,
} from './advantages/gae.js';
export { grpo, rloo } from './advantages/group-relative.js';
export type { NormaliseOptions } from './advantages/normalise.js';
export { TURN_POOLINGS, type TurnPooling } from './advantages/pooling.js';
export {
  gtpo,
  hybrid,
  mtGrpo,
  type OutcomePlace,
  type TurnLevelOptions,
} from './advantages/turn-level.js';
export {
  type Calibration,
  type CalibrationOptions,
  type CalibrationRound,
  calibrate,
  checkTable,
  type TableCheck,
} from './calibration/calibrate.js';
export { type DecisionOptions, intentsOf } from './calibration/decide.js';
export {
  effectiveEpisodes,
  type OnlineOptions,
  type OnlineState,
  observeRollout,
  onlineRewards,
  startOnline,
} from './calibration/online.js';
export { pointBiserial, pointBiserialFromShares } from './calibration/point-biserial.js';
export { renderCalibration } from './calibration/report.js';
export {
  CalibrationDataError,
  InvalidBatchError,
  InvalidVerdictsError,
  RewardFileError,
  ScoreFileError,
} from './errors.js';
export { type Agreement, agreementOf, cohenKappa } from './judge/agreement.js';
export type {
  Judge,
  JudgeIdentity,
  JudgeInput,
  Judgement,
  MissingReason,
  TurnVerdict,
} from './judge/judge.js';
export { type FaultLabel, type LabelStudy, studyLabels } from './judge/label-study.js';
export { createRuleReviewer } from './judge/live/rule-reviewer.js';
export { createBudget, type JudgeBudget } from './judge/model/judge-budget.js';
export { createFolderCache, createMemoryCache, type JudgementCache } from './judge/model/judgement-cache.js';
export { createModelJudge, type ModelJudgeOptions } from './judge/model/model-judge.js';
export { defaultTemplate, type PromptTemplate, parseTemplate } from './judge/model/prompt.js';
export { createRuleJudge } from './judge/rules/rule-judge.js';
export { verdictFault } from './judge/verdict-check.js';
export { createVotingJudge } from './judge/vote.js';
export { type ArgumentEquality, argumentsEqual } from './rewards/deep-equal.js';
export {
  parseRewardTable,
  REWARD_TABLES,
  type RewardTable,
  rewardTableHash,
  turnReward,
} from './rewards/reward-table.js';
export { outcomeUnder, type SubScores, subScoresOf } from './rewards/sub-scores.js';
export {
  type EpisodeKind,
  type TarlInput,
  type TarlOptions,
  type TarlReward,
  tarlReward,
  type Verdict,
} from './rewards/tarl.js';
export { type Intent, TIERS, type Tier, type TierTurn, tierCodes } from './rewards/tier.js';
export { type TierOptions, tiersOf } from './rewards/tiers.js';
export { batchRollouts, type Rollout, type RolloutBatch, rolloutOf } from './rollout.js';
export { renderCreditPicture } from './scores/credit-picture.js';
export { judgementsIn, readScores, type ScoreFile, scorePath, writeScores } from './scores/score-file.js';
export type { ScoreHeader, ScoreLine, TurnScore } from './scores/score-line.js';
export { type RunScores, type ScoreOptions, scoreRun } from './scores/score-run.js';
export { type ScoreSummary, type SummaryOptions, summariseScores } from './scores/score-summary.js';
export { renderScores } from './scores/score-table.js';
export {
  SCORE_ADVANTAGES,
  SCORE_OUTCOMES,
  type ScoreAdvantage,
  type ScoreOutcome,
  type Scorer,
  type ScorerIdentity,
} from './scores/scorer.js';
export { type CallTurn, type EpisodeTurn, type MessageTurn, turnsOf } from './turns.js';
