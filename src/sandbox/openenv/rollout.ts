import { z } from 'zod';
import type { EpisodeRecord } from '../../episodes/index.js';
import type { EpisodeStart } from '../episode-factory.js';
import type { RunningEpisode } from '../front.js';
import type { AgentCall, SessionEvent } from '../session/state.js';
import { readCall } from '../session/tool-arguments.js';
import type { EnvParts } from './env-parts.js';
import { EnvFault } from './faults.js';
import { type CustomerTurn, type EpisodeStep, InProcessEpisode } from './in-process-episode.js';
import {
  hearCustomer,
  type ObservationData,
  observationData,
  rewardInfo,
  toolOutput,
} from './observation.js';
import type { ResetWish } from './reset-wish.js';
import type { TaskEntry } from './task-catalogue.js';

const respondSchema = z.strictObject({
  message: z.string().trim().min(1).max(20_000),
});

interface ToolFault {
  readonly error_type: 'execution_error' | 'invalid_args' | 'tool_not_found';
  readonly message: string;
}

export interface RolloutOptions {
  readonly parts: EnvParts;
  readonly wish: ResetWish;
  readonly task: TaskEntry;
  readonly seed: number;
  readonly sessionId: string;
  readonly origin: string | null;
}

/** One episode as an OpenEnv environment sees it, from reset to done. */
export class Rollout {
  readonly task: TaskEntry;
  readonly wish: ResetWish;
  steps = 0;
  readonly #options: RolloutOptions;
  readonly #episode = new InProcessEpisode();
  readonly #start: EpisodeStart;
  readonly #done: Promise<void>;
  #settle: () => void = () => undefined;
  #calls = 0;
  #rewardedTurn = 0;
  #last: ObservationData | null = null;
  #final: { readonly reward: number | null; readonly info: Readonly<Record<string, unknown>> } | null = null;

  constructor(options: RolloutOptions) {
    const { task, wish, seed } = options;
    this.#options = options;
    this.task = task;
    this.wish = wish;
    this.#start = {
      ...{
        type: 'episode.start',
        task: task.id,
        mode: wish.mode,
        seed,
        trial: wish.trial,
        pacing: 'fast',
        agent: wish.agent,
      },
    };
    this.#done = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get running(): RunningEpisode | null {
    return this.#final === null ? { key: this.#start, done: this.#done } : null;
  }

  get episodeId(): string {
    return this.wish.episodeId ?? this.#episode.episode;
  }

  get final(): { readonly reward: number | null; readonly info: Readonly<Record<string, unknown>> } | null {
    return this.#final;
  }

  /** @throws EnvFault when it cannot be played */
  async begin(): Promise<ObservationData> {
    const { parts } = this.#options;
    const refusal = parts.factory.check(this.#start);
    if (refusal !== null) throw new EnvFault('EXECUTION_ERROR', refusal.message);
    const step = await this.#open();
    if (step.customer === null) return this.#close(step, { fields: {}, metadata: this.#facts() });
    const { text, content, audio } = this.#hear(step.customer);
    const metadata = {
      ...{ user_message: text, policy: this.#episode.policy, ...this.#facts() },
      ...(audio === null ? {} : { user_audio: audio }),
    };
    // Sound stands once in the frame, and metadata twice.
    const fields = audio === null ? {} : { content };
    return step.end === null
      ? observationData({ fields, metadata, reward: 0, done: false })
      : this.#close(step, { fields, metadata });
  }

  async #open(): Promise<EpisodeStep> {
    const { parts } = this.#options;
    try {
      return await this.#episode.open(parts.factory, this.#start, parts.onEpisodeEnd);
    } catch (error) {
      this.#final = { reward: null, info: {} };
      this.#settle();
      parts.onFault(`cannot play task ${this.task.id}`, error);
      throw new EnvFault('EXECUTION_ERROR', 'the sandbox could not set up the episode; its log says why');
    }
  }

  /** One tool call of the agent: speaking, hanging up, or a tool of the domain. */
  async call(name: string, args: Readonly<Record<string, unknown>> | string): Promise<ObservationData> {
    if (this.#last !== null) return this.#over(name);
    this.#calls += 1;
    const call = readCall({ callId: `step-${this.#calls}`, name, arguments: args });
    const fault = this.#faultOf(call);
    const step = await this.#episode.act(this.#eventOf(call, fault));
    const heard = step.customer === null ? null : this.#hear(step.customer);
    const { tool } = step;
    const output =
      heard !== null
        ? toolOutput(heard.text, { content: heard.content })
        : tool !== null
          ? toolOutput(tool.content, { isError: !tool.ok })
          : toolOutput(step.end === null ? '' : 'The conversation is over.');
    const error = fault ?? this.#refusal(step);
    const fields = { tool_name: name, result: error === null ? output : null, error };
    const turn = step.customer?.turn ?? tool?.turn;
    const metadata = {
      ...(turn === undefined ? {} : { turn }),
      ...(heard?.audio == null ? {} : { user_audio: heard.audio }),
    };
    if (step.end !== null) return this.#close(step, { fields, metadata });
    return observationData({ fields, metadata, reward: await this.#stepReward(), done: false });
  }

  /** Ends it from outside. Resolves when its record is closed. */
  async leave(type: 'disconnected' | 'shutdown'): Promise<void> {
    await this.#episode.leave({ type });
    this.#finish(null);
  }

  #refusal(step: EpisodeStep): ToolFault | null {
    return step.refused === null ? null : { error_type: 'execution_error', message: step.refused };
  }

  #faultOf({ name, arguments: args, fault }: AgentCall): ToolFault | null {
    if (name === 'respond_to_user') {
      if (fault !== undefined) return { error_type: 'invalid_args', message: fault };
      const parsed = respondSchema.safeParse(args);
      if (parsed.success) return null;
      const [issue] = parsed.error.issues;
      const where = issue?.path.join('.') ?? '';
      return {
        error_type: 'invalid_args',
        message: `respond_to_user takes message, a text of 1 to 20000 characters; ${where === '' ? '' : `at ${where}: `}${issue?.message}`,
      };
    }
    if (name === 'done' || this.#options.parts.toolNames.has(name)) return null;
    return { error_type: 'tool_not_found', message: `Unknown tool: ${JSON.stringify(name)}` };
  }

  #eventOf(
    call: AgentCall,
    fault: ToolFault | null,
  ): Extract<SessionEvent, { type: 'message' | 'calls' | 'stop' | 'refused' }> {
    if (fault?.error_type === 'invalid_args')
      return { type: 'refused', code: 'bad_message', message: fault.message };
    if (call.name === 'respond_to_user')
      return { type: 'message', text: String(call.arguments.message).trim(), speech: null, reasoning: null };
    if (call.name === 'done') return { type: 'stop', reason: 'done' };
    return { type: 'calls', calls: [call], batched: false, wire: true };
  }

  #hear(customer: CustomerTurn) {
    const spoken = this.#record()?.events.findLast((event) => event.type === 'customer');
    return hearCustomer(customer, {
      wish: this.wish,
      transcript: spoken?.type === 'customer' ? spoken.text : '',
      origin: this.#options.origin,
    });
  }

  #facts() {
    const { task, seed, sessionId } = this.#options;
    return {
      ...{ task_id: task.id, split: task.split, index: task.index, seed },
      mode: this.wish.mode === 'speech' ? 's&t' : 't-only',
      ...{ episode_id: this.episodeId, record: this.#episode.episode, session_id: sessionId },
    };
  }

  #record(): EpisodeRecord | null {
    return this.#options.parts.tap.read(this.#episode.episode);
  }

  /** Of what was done since the last step; 0 in sparse mode. */
  async #stepReward(): Promise<number> {
    const { rateTurns } = this.#options.parts;
    const record = this.#record();
    if (this.wish.rewardMode === 'sparse' || rateTurns === null || record === null) return 0;
    const { turns } = await rateTurns(record);
    const fresh = turns.filter(({ turn }) => turn > this.#rewardedTurn);
    this.#rewardedTurn = turns.at(-1)?.turn ?? this.#rewardedTurn;
    return fresh.reduce((sum, { reward }) => sum + reward, 0);
  }

  /** The last observation: reward, verdict and what each turn was worth. */
  async #close(
    { end }: EpisodeStep,
    parts: {
      readonly fields: Readonly<Record<string, unknown>>;
      readonly metadata: Readonly<Record<string, unknown>>;
    },
  ): Promise<ObservationData> {
    if (end === null) throw new EnvFault('EXECUTION_ERROR', 'the episode gave no answer');
    const broken = end.owner === 'platform' || end.outcome === null;
    const outcome = end.outcome?.reward ?? null;
    // A fault of the platform says nothing about the agent: no reward, not a reward of 0.
    const reward = broken || outcome === null ? null : outcome + (await this.#stepReward());
    const info = rewardInfo(end);
    const metadata = {
      ...parts.metadata,
      turn: end.turn,
      ...{ reward_info: info, stop_reason: end.reason, owner: end.owner, record: end.episode },
      ...(broken ? { dropped: true } : {}),
      ...(await this.#turnRewards()),
    };
    this.#finish({ reward, info });
    this.#last = observationData({ fields: parts.fields, metadata, reward, done: true });
    return this.#last;
  }

  async #turnRewards(): Promise<Readonly<Record<string, unknown>>> {
    const { rateTurns, onFault } = this.#options.parts;
    const record = this.#record();
    if (rateTurns === null || record === null) return {};
    try {
      const { source, score, turns } = await rateTurns(record);
      return {
        turn_rewards: turns.map(({ turn, reward, verdict, verdictReward }) => ({
          ...{ turn, reward, verdict, verdict_reward: verdictReward },
        })),
        turn_reward_source: source,
        verdict_score: score,
      };
    } catch (error) {
      onFault(`${this.#episode.episode}: turns cannot be rewarded`, error);
      return {};
    }
  }

  #finish(final: NonNullable<Rollout['final']> | null): void {
    this.#final ??= final ?? { reward: null, info: {} };
    this.#options.parts.tap.forget(this.#episode.episode);
    this.#settle();
  }

  /** The same end again, whatever is tried. */
  #over(name: string): ObservationData {
    const last = this.#last;
    const error: ToolFault = {
      error_type: 'execution_error',
      message: 'the episode is over; reset() starts another',
    };
    return observationData({
      fields: { tool_name: name, result: null, error },
      ...{ metadata: last?.metadata ?? {}, reward: last?.reward ?? null, done: true },
    });
  }
}
