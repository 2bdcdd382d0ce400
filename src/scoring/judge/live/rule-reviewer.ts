import type { RecordEvent } from '../../../episodes/index.js';
import { toolDefinitions } from '../../../retail/index.js';
import { checkCalls, checkIdentification } from '../rules/check-calls.js';
import { checkClaims } from '../rules/check-claims.js';
import { checkConfirmation } from '../rules/check-confirmation.js';
import { checkWrongWords } from '../rules/check-ending.js';
import { checkWrites } from '../rules/check-writes.js';
import { RULES_VERSION } from '../rules/rule-judge.js';
import { type Finding, type Story, tellStory } from '../rules/story.js';
import { asksVaguely, proposesNeedless } from './proposals-at-hand.js';

/** What an agent is about to do: `text` for a message, `name` and `arguments` for a call. */
export type ReviewedAction =
  | { readonly type: 'message'; readonly text: string }
  | { readonly type: 'call'; readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };

/** Looks at actions before they are taken. Fits the live judge of a sandbox. */
export interface RuleReviewer {
  /** e.g. "rules-2". */
  readonly name: string;
  /** `past` begins with the record's header. Null: nothing to say against it. Never throws because of what it reads. */
  review(past: readonly RecordEvent[], proposed: ReviewedAction): string | null;
}

interface Rule {
  readonly finds: (story: Story) => boolean;
  /**
   * What the agent is told. These sentences are all that ever leaves the judge: the findings behind them name ids, items and
   * amounts of the ground truth.
   */
  readonly message: string;
}

const TRANSFER = 'transfer_to_human_agents';

/** Does the check blame the last turn, which is the proposed one? */
const blames =
  (check: (story: Story) => Finding[]) =>
  (story: Story): boolean =>
    check(story).some(({ index, weight }) => index === story.turns.length - 1 && weight === 'major');

function callsUnknownTool(story: Story): boolean {
  const last = story.turns.at(-1);
  return last?.kind === 'call' && last.ok === false;
}

function handsOverNeedlessly(story: Story): boolean {
  const last = story.turns.at(-1);
  const wanted = story.record.header.task.groundTruth.some(({ name }) => name === TRANSFER);
  return last?.kind === 'call' && last.call.name === TRANSFER && !wanted;
}

const CALL_RULES: readonly Rule[] = [
  {
    finds: callsUnknownTool,
    message:
      'You are about to call a tool that does not exist. Look at the tools that you have; where none of them does what is wanted, say so.',
  },
  {
    finds: handsOverNeedlessly,
    message:
      'You are about to hand the customer over to a person. Read in the policy when that is to be done, and see what you can do yourself.',
  },
  {
    finds: blames(checkIdentification),
    message:
      'You are about to change something without knowing that it is the caller’s own. Find out who is calling and whose order it is.',
  },
  {
    finds: blames(checkWrites),
    message:
      'You are about to make a change that does not fit. Go back to what the customer wants and what the policy allows: which order, which items, how it is paid, and whether it should be made at all.',
  },
  {
    finds: blames(checkConfirmation),
    message:
      'You are about to make a change without a clear yes from the customer. Say in full what would be done, ask for a yes and wait for it.',
  },
  {
    finds: blames(checkCalls),
    message: 'You are about to use an id that neither the customer nor a tool gave you. Look it up first.',
  },
];
const MESSAGE_RULES: readonly Rule[] = [
  {
    finds: asksVaguely,
    message:
      'You ask the customer for a yes without saying to what. Say in full what would be done, then ask.',
  },
  {
    finds: (story) => blames(checkWrongWords)(story) || proposesNeedless(story),
    message:
      'You are about to propose something that does not fit. Go back to what the customer wants and what the policy allows before you put it forward.',
  },
  {
    finds: blames(checkClaims),
    message:
      'You say that something was done, and it was not. Do it first, or tell the customer how things stand.',
  },
];

/** The record as it would be if the action were taken, and a call of a tool that exists went through. */
function eventsOf(proposed: ReviewedAction, turn: number, tools: ReadonlySet<string>): RecordEvent[] {
  if (proposed.type === 'message') return [{ type: 'agent', turn, text: proposed.text, reasoning: null }];
  const { name, arguments: args } = proposed;
  const callId = 'under review';
  const ok = tools.has(name);
  return [
    { type: 'tool_call', turn, callId, name, arguments: { ...args }, reasoning: null },
    { type: 'tool_result', turn, callId, ok, content: '' },
  ];
}

/**
 * The rule judge as one that breaks in (TARL's ablation, arXiv 2509.14480, which ended below its baseline: for study, not for
 * use). It sees the ground truth, what happened so far and what is about to happen, and says of what kind the fault is,
 * in a sentence that is the same for every episode. It cannot see that an agent is about to hang up.
 */
export function createRuleReviewer({ policy }: { readonly policy: string }): RuleReviewer {
  return {
    name: `rules-${RULES_VERSION}`,
    review: (past, proposed) => {
      const [header] = past;
      if (header?.type !== 'episode') return null;
      const tools = new Set(toolDefinitions(header.rules).map((tool) => tool.name));
      const turn = past.reduce((last, event) => ('turn' in event ? Math.max(last, event.turn) : last), 0) + 1;
      const events = [...past, ...eventsOf(proposed, turn, tools)];
      const story = tellStory({ header, events, end: null, outcome: null }, policy);
      const rules = proposed.type === 'call' ? CALL_RULES : MESSAGE_RULES;
      return rules.find(({ finds }) => finds(story))?.message ?? null;
    },
  };
}
