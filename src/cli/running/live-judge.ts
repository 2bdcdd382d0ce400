import type { Command } from 'commander';
import type { RetailDomain } from '../../retail/index.js';
import type { LiveJudge } from '../../sandbox/index.js';
import { createRuleReviewer } from '../../scoring/index.js';
import { oneOf } from '../number-option.js';

const LIVE_JUDGES = ['rules'] as const;
export type LiveJudgeName = (typeof LIVE_JUDGES)[number];

export function addLiveJudgeOption(command: Command): Command {
  return command.option(
    '--live-judge <name>',
    'rules: a judge breaks in before wrong actions, at most twice a turn; not comparable with other runs (docs/judge.md)',
    oneOf('--live-judge', LIVE_JUDGES),
  );
}

/** Undefined: nobody looks on. */
export function openLiveJudge(
  name: LiveJudgeName | null | undefined,
  { policy }: RetailDomain,
): LiveJudge | undefined {
  return name === 'rules' ? createRuleReviewer({ policy }) : undefined;
}
