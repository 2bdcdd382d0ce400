import type { OpenRecord } from '../episodes/index.js';
import type { Mode } from '../protocol/index.js';
import type { Outcome, OutcomeRule, RetailDomain, VerifyInput } from '../retail/index.js';
import type { Clock } from '../shared/index.js';
import type { Speaker } from '../speech/index.js';
import type { CustomerFactory } from '../user/index.js';
import type { ReadClip } from './http/audio-clips.js';
import type { HttpLimits } from './http/http-limits.js';
import type { TlsMaterial } from './http/http-server.js';
import type { HttpAnswer } from './http/router.js';
import type { OpenEnvSettings } from './openenv/openenv-front.js';
import type { RolloutSettings } from './rollouts/rollout-routes.js';
import type { Transcriber } from './session/listener.js';
import type { LiveJudge } from './session/live-judge.js';
import type { SessionResult } from './session/parts.js';
import type { SessionLimits } from './session/state.js';
import type { ConnectTools } from './tool-port.js';
import type { WebSocketLimits } from './websocket/limits.js';

/** An episode that is over. */
export interface EpisodeSummary extends SessionResult {
  readonly task: string;
  readonly mode: Mode;
  readonly trial: number;
  readonly seed: number;
  readonly agent: string;
}

export interface SandboxLog {
  readonly level: 'info' | 'warning' | 'error';
  readonly message: string;
  /** The episode it is about, where it is about one. */
  readonly episode?: string | undefined;
}

export interface SandboxOptions {
  readonly domain: RetailDomain;
  /** Null: speech is not offered. */
  readonly speaker: Speaker | null;
  readonly customers: CustomerFactory;
  readonly outcomeRule: OutcomeRule;
  /** Where records go; see `openRunFolder` and `createMemoryRecords`. */
  readonly openRecord: OpenRecord;
  readonly clock: Clock;
  readonly limits?: Partial<SessionLimits> | undefined;
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  /** Set: the port speaks TLS. */
  readonly tls?: TlsMaterial | undefined;
  /** When there are any, clients must send one of them as `Authorization: Bearer …`. */
  readonly tokens?: readonly string[] | undefined;
  /** Web pages that may connect; others are refused. Programs send no Origin and are not asked. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Names of this server beside its addresses and `localhost`, against DNS rebinding. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Limits of connections, heads, bodies and their times; by the real clock. */
  readonly http?: Partial<HttpLimits> | undefined;
  /** Limits of sessions and of what is kept for them; by `clock`. */
  readonly websocket?: Partial<WebSocketLimits> | undefined;
  /**
   * Agents of this process, whose word is good: one that says `unavailable` ends as `agent_unavailable`, which is run again.
   * Default false: a stranger's ends as `agent_failed`, else it could take its failures out of the count.
   */
  readonly ownAgents?: boolean | undefined;
  /** Makes text of what agents say by voice. Absent: they have to send their words as well. */
  readonly transcriber?: Transcriber | undefined;
  /** Looks at every action before it is taken. Default: nobody does, and that is how agents should be compared. */
  readonly liveJudge?: LiveJudge | undefined;
  /** Clients may ask that the customer takes turns on the call's clock. Default: no. */
  readonly turnTaking?: boolean | undefined;
  /**
   * Customers' lines go out while the voice still makes them, where the speaker can and no turn-taking is asked for. Records are the
   * same. Default: when they are whole.
   */
  readonly streamSpeech?: boolean | undefined;
  /** Secrets for resuming sessions; default: 32 random bytes. */
  readonly createToken?: (() => string) | undefined;
  /** What `hello` and `/health` call the server. */
  readonly serverName?: string | undefined;
  /** Called when the record is closed, before the agent hears of the end. */
  readonly onEpisodeEnd?: ((summary: EpisodeSummary) => void) | undefined;
  /** Every HTTP request that was answered; its route, never its address or token. */
  readonly onHttpAnswer?: ((answer: HttpAnswer) => void) | undefined;
  /** Looks up clips that the sandbox itself no longer holds, for `GET /v1/audio/<sha256>.wav`. */
  readonly readClip?: ReadClip | undefined;
  readonly log?: ((line: SandboxLog) => void) | undefined;
  /** How an episode gets its tools; the default is an MCP server and client of its own, in memory. */
  readonly connectTools?: ConnectTools | undefined;
  /** How agents reach this server, e.g. "https://host:port", where that is not its host and port: for links it gives. */
  readonly publicUrl?: string | undefined;
  /** How trainers are served that speak OpenEnv (docs/openenv.md). */
  readonly openEnv?: OpenEnvSettings | undefined;
  /** Rollouts that the sandbox drives itself (docs/training.md). Absent: not offered. */
  readonly rollouts?: RolloutSettings | undefined;
  /** Default: the retail verifier. */
  readonly verify?: ((input: VerifyInput) => Outcome) | undefined;
}

export const DEFAULT_LIMITS: SessionLimits = {
  maxTurns: 30,
  maxErrors: 10,
  agentTimeoutMs: 120_000,
  transferGraceMs: 10_000,
  feedbackTimeoutMs: 120_000,
};

/** A message over this size gets an `error` event. */
export const MAX_MESSAGE_BYTES = 256 * 1024;
/** A message over this size closes the connection (1009). */
export const MAX_PAYLOAD_BYTES = 4 * 1024 * 1024;
