import pLimit from 'p-limit';
import { type ChatClient, type ChatRequest, chatRequestHash } from '../../../models/index.js';
import { type Clock, canonicalJson, describeError, sha256Hex, systemClock } from '../../../shared/index.js';
import type { Verdict } from '../../rewards/tarl.js';
import { turnsOf } from '../../turns.js';
import type { Judge, JudgeIdentity, JudgeInput, Judgement } from '../judge.js';
import { unjudgeable } from '../verdict-check.js';
import { type Answer, type AskOptions, askForVerdicts } from './ask.js';
import { createBudget, type JudgeBudget } from './judge-budget.js';
import { createMemoryCache, type JudgementCache } from './judgement-cache.js';
import { defaultTemplate, judgePrompt, type PromptTemplate, verdictFormat } from './prompt.js';

export interface ModelJudgeOptions {
  readonly client: ChatClient;
  /** Default: the built-in prompt. */
  readonly template?: PromptTemplate | undefined;
  /** Default 0. */
  readonly temperature?: number | undefined;
  /** Tells several votes of one model apart, together with a temperature above 0. */
  readonly seed?: number | undefined;
  /** Replies asked for until one can be used. Default 3. */
  readonly attempts?: number | undefined;
  /** Sending again after a failure that may pass. Default 3, first after 1 s, then doubled. */
  readonly retries?: number | undefined;
  readonly retryDelayMs?: number | undefined;
  /** For one reply. Default 120 s. */
  readonly timeoutMs?: number | undefined;
  /** Episodes judged at once. Default 8. */
  readonly concurrency?: number | undefined;
  /** Default: none. */
  readonly budget?: JudgeBudget | undefined;
  /** Default: in memory. */
  readonly cache?: JudgementCache | undefined;
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
}

function identityOf(options: ModelJudgeOptions, template: PromptTemplate): JudgeIdentity {
  const name = `model:${options.client.name}`;
  const { temperature = 0, seed = null, attempts = 3 } = options;
  const decides = {
    name,
    prompt: template.hash,
    temperature,
    seed,
    attempts,
    format: options.client.takesFormat,
  };
  return { name, version: template.version, hash: sha256Hex(canonicalJson(decides)) };
}

function requestFor(input: JudgeInput, template: PromptTemplate, options: ModelJudgeOptions): ChatRequest {
  const turns = turnsOf(input.record).length;
  return {
    messages: judgePrompt(input, template),
    format: options.client.takesFormat ? verdictFormat(turns) : undefined,
    temperature: options.temperature ?? 0,
    seed: options.seed,
  };
}

/**
 * A model as the judge, as in TARL: asked once per finished episode, with policy, hidden instruction, ground truth and
 * numbered turns. Replies are read tolerantly; one that cannot be used is asked for again with its fault named, and in
 * the end the judgement is missing. It never rejects: no failure of a judge touches an episode or another judgement.
 */
export function createModelJudge(options: ModelJudgeOptions): Judge {
  const template = options.template ?? defaultTemplate();
  const identity = identityOf(options, template);
  const cache = options.cache ?? createMemoryCache();
  const limit = pLimit(options.concurrency ?? 8);
  const ask: AskOptions = {
    client: options.client,
    clock: options.clock ?? systemClock,
    budget: options.budget ?? createBudget(),
    attempts: options.attempts ?? 3,
    retries: options.retries ?? 3,
    retryDelayMs: options.retryDelayMs ?? 1000,
    timeoutMs: options.timeoutMs ?? 120_000,
  };

  const answer = async (input: JudgeInput, turns: number): Promise<Answer> => {
    if (turns === 0) return { verdicts: [] };
    const request = requestFor(input, template, options);
    const key = sha256Hex(canonicalJson([identity.hash, chatRequestHash(request)]));
    const known = await cache.get(key);
    if (known !== null && known.length === turns) return { verdicts: known };
    const found = await askForVerdicts(request, turns, ask);
    if ('verdicts' in found) await cache.set(key, found.verdicts);
    return found;
  };

  const judge = async (input: JudgeInput): Promise<Judgement> => {
    const missing = unjudgeable(input.record, identity);
    if (missing !== null) return missing;
    try {
      const turns = turnsOf(input.record);
      const found = await answer(input, turns.length);
      if ('missing' in found)
        return { status: 'missing', judge: identity, reason: found.missing, detail: found.detail };
      return {
        status: 'judged',
        judge: identity,
        verdicts: found.verdicts.map(({ verdict, reason }, index) => ({
          turn: turns[index]?.turn ?? index + 1,
          // The parser lets nothing else through.
          verdict: verdict as Verdict,
          reason,
        })),
      };
    } catch (error) {
      return { status: 'missing', judge: identity, reason: 'model-failed', detail: describeError(error) };
    }
  };
  return { identity, judge: (input) => limit(() => judge(input)) };
}
