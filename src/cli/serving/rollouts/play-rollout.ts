import { type AgentReport, createChatAgent, type Generation } from '../../../agents/index.js';
import { createOpenAiChat } from '../../../models/index.js';
import {
  failedResult,
  modeOf,
  type PlayRollout,
  type RolloutRequest,
  type RolloutResult,
} from '../../../rollouts/index.js';
import type { HostedEpisode, Sandbox } from '../../../sandbox/index.js';
import { type Clock, createRandom, deriveSeed, describeError } from '../../../shared/index.js';
import type { Speaker } from '../../../speech/index.js';
import type { RateTurns } from '../turn-rewards.js';
import { keepSecret } from './keep-secret.js';

export interface RolloutPlayParts {
  readonly sandbox: () => Pick<Sandbox, 'seat'>;
  readonly clock: Clock;
  readonly rateTurns: RateTurns;
  /** The voice under these conditions; undefined: the sandbox's own. */
  readonly speakerFor: (conditions: string | undefined) => Speaker | undefined;
}

const CUT_SHORT: readonly string[] = ['turn_limit', 'error_limit', 'context_limit'];

function agentFor(request: RolloutRequest, id: string, clock: Clock) {
  const { sampling, limits } = request;
  const chat = createOpenAiChat({
    ...{ baseUrl: request.base_url.replace(/\/+$/, ''), model: request.model, apiKey: request.api_key },
    ...{ server: request.token_ids ? 'vllm' : 'plain', audioForm: request.audio_part },
    ...{ extraBody: request.extra_body, clock, settingsAre: 'fields' },
    ...{ timeoutMs: limits.request_seconds * 1000, random: createRandom(deriveSeed('rollout', id)) },
  });
  return createChatAgent({
    ...{ chat: keepSecret(chat, request.api_key), toolForm: request.tools, history: 'verbatim' },
    ...{ temperature: sampling.temperature, topP: sampling.top_p, replyTokens: sampling.max_tokens },
    ...{ sendSeed: sampling.seed !== undefined, samplingSeed: sampling.seed },
    ...{ tokens: request.token_ids ? true : 'given', contextTokens: limits.context_tokens },
    // What ids a trainer's model has is not known here.
    ...{ audioTokensPerSecond: request.audio_tokens_per_second, endToken: null, audioToken: null },
  });
}

const generationOf = (generation: Generation): RolloutResult['generations'][number] => ({
  ...{ turn: generation.turn, finish: generation.finish, usage: generation.usage },
  ...{ prompt_shared: generation.promptShared, prompt_rest: generation.promptRest },
  ...{ token_ids: generation.ids, logprobs: generation.logprobs },
  ...{ faults: generation.faults, discarded: generation.discarded },
});

interface Played {
  readonly episode: HostedEpisode | null;
  readonly report: AgentReport | null;
  /** What the agent rejected with, or why the rollout was broken off. */
  readonly why: string | null;
  readonly isLate: boolean;
  readonly seconds: number;
}

async function resultOf(
  request: RolloutRequest,
  played: Played,
  rateTurns: RateTurns,
): Promise<RolloutResult> {
  const { episode, report, why, isLate, seconds } = played;
  const generations = (report?.generations ?? []).map(generationOf);
  if (episode === null)
    return {
      ...failedResult('platform_failed', why ?? 'no episode was played'),
      ...{ truncated: isLate, seconds, generations },
    };
  const { summary, record } = episode;
  const { reason, owner, outcome } = summary;
  const rewards = await rateTurns(record);
  const valid = owner !== 'platform' && reason !== 'customer_failed' && outcome !== null;
  const reward = request.reward === 'tarl' ? rewards.score : (outcome?.reward ?? null);
  const detail = why ?? record.end?.detail ?? null;
  return {
    ...{ valid: valid && reward !== null, end: { reason, owner, detail } },
    // The time may also run out when the episode is over already.
    truncated: (isLate && owner === 'platform') || CUT_SHORT.includes(reason),
    ...{ reward: valid ? reward : null, success: outcome?.success ?? null },
    turn_rewards: rewards.turns.map(({ turn, reward: tier, verdict, verdictReward }) => ({
      ...{ turn, reward: tier, verdict, verdict_reward: verdictReward },
    })),
    ...{ tarl_score: rewards.score, reward_source: rewards.source },
    ...{ turns: summary.turns, record: summary.episode, seconds, generations },
  };
}

/**
 * Plays a rollout: the trainer's model behind the chat loop that `parlor run` has, in a session of the sandbox that `serve`
 * runs. What it said stays in the history as its gateway gave it.
 */
export function createRolloutPlayer({
  sandbox,
  clock,
  rateTurns,
  speakerFor,
}: RolloutPlayParts): PlayRollout {
  return async ({ request, task }, signal) => {
    const { limits, seed, trial } = request;
    const startMs = clock.nowMs();
    const timeMs = limits.seconds * 1000;
    const seat = sandbox().seat({
      // The model's time is bounded by the rollout's own limit, which is the platform's.
      limits: { maxTurns: limits.turns, maxErrors: limits.errors, agentTimeoutMs: timeMs + 60_000 },
      speaker: speakerFor(request.conditions),
    });
    const callOff = new AbortController();
    let why: string | null = null;
    let isLate = false;
    const breakOff = (reason: string): void => {
      why ??= reason;
      seat.end();
      callOff.abort(new Error(reason));
    };
    const onAbort = (): void => breakOff('called off');
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    const cancelTimer = clock.after(timeMs, () => {
      isLate = why === null;
      breakOff(`over the time limit of ${limits.seconds} s`);
    });
    let report: AgentReport | null = null;
    try {
      const agent = agentFor(request, `${task}.${seed}.${trial}`, clock);
      const assignment = { url: 'the sandbox', dial: seat.dial, task, mode: modeOf(request), seed, trial };
      report = await agent.run(assignment, callOff.signal);
    } catch (error) {
      why ??= describeError(error);
    } finally {
      cancelTimer();
      signal.removeEventListener('abort', onAbort);
    }
    const episode = await seat.leave();
    const seconds = Math.round(clock.nowMs() - startMs) / 1000;
    return await resultOf(request, { episode, report, why, isLate, seconds }, rateTurns);
  };
}
