import { randomBytes, randomUUID } from 'node:crypto';
import { type EpisodeKey, episodeId } from '../episodes/index.js';
import { PROTOCOL_VERSION } from '../protocol/index.js';
import { connectInMemory, verify } from '../retail/index.js';
import { describeError } from '../shared/index.js';
import { createEpisodeFactory, type EpisodeFactory } from './episode-factory.js';
import type { Front } from './front.js';
import { createHostedFront, type Seat, type SeatOptions } from './hosted/hosted-front.js';
import { createAudioClips } from './http/audio-clips.js';
import { healthRoutes } from './http/health.js';
import { startHttpServer } from './http/http-server.js';
import { metricsRoute } from './http/metrics/metrics-route.js';
import { MetricRegistry } from './http/metrics/registry.js';
import { createSandboxMetrics } from './http/metrics/sandbox-metrics.js';
import { addServerMetrics } from './http/metrics/server-metrics.js';
import type { HttpRoute } from './http/route.js';
import { createMcpFront } from './mcp/mcp-front.js';
import { createOpenEnvFront, DEFAULT_AGENT_TIMEOUT_MS } from './openenv/openenv-front.js';
import { tapRecords } from './openenv/record-tap.js';
import type { EpisodeSummary, SandboxOptions } from './options.js';
import { addRolloutMetrics } from './rollouts/rollout-metrics.js';
import { rolloutRoutes } from './rollouts/rollout-routes.js';
import { greetingOf } from './websocket/greeting.js';
import { DEFAULT_WEBSOCKET_LIMITS } from './websocket/limits.js';
import { createWebSocketFront, WEBSOCKET_PATH } from './websocket/websocket-front.js';

/** A running sandbox server. */
export interface Sandbox {
  /** Where agents connect: ws://host:port/v1, wss:// with TLS. */
  readonly url: string;
  readonly port: number;
  /** The path of every route, with its named parts as patterns. */
  readonly paths: readonly string[];
  /** A place for an agent of this process: the same sessions, without a socket. */
  seat(options?: SeatOptions): Seat;
  /** Resolves when no episode of this task, mode, trial and seed is running; its record is closed then. */
  settled(key: EpisodeKey): Promise<void>;
  /** Takes no new connection and is not ready any more. Resolves when what runs has come to its end. */
  drain(): Promise<void>;
  /** Ends running episodes as `shutdown`, closes connections and the port. Safe twice. */
  close(): Promise<void>;
}

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_SERVER_NAME = 'parlor';

/** A host as it stands in an address: IPv6 in brackets. */
const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/**
 * Starts the sandbox: every front's routes on one port, health and readiness beside them.
 * Rejects with `CannotListenError` when it cannot have the port.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const log = options.log ?? (() => undefined);
  let leaving: string | null = null;
  const serverName = options.serverName ?? DEFAULT_SERVER_NAME;
  const registry = new MetricRegistry();
  const metrics = createSandboxMetrics(registry, { toolNames: options.domain.tools.map(({ name }) => name) });
  const clips = createAudioClips(options.readClip);
  const recorded = { ...options, openRecord: clips.watch(options.openRecord) };
  const createToken = options.createToken ?? (() => randomBytes(32).toString('base64url'));
  const host = options.host ?? DEFAULT_HOST;
  const mcp = createMcpFront({
    ...{ domain: options.domain, createToken, version: serverName.split('/')[1] ?? '0' },
    origin: () =>
      options.publicUrl ?? `${options.tls === undefined ? 'http' : 'https'}://${inUrl(host)}:${server.port}`,
  });
  const makeFactory = (wanted: SandboxOptions): EpisodeFactory => {
    const episodes = createEpisodeFactory(wanted, {
      measure: metrics.measure,
      connectTools:
        options.connectTools ?? ((session) => connectInMemory({ session, domain: options.domain })),
      verify: options.verify ?? ((input) => verify(input, options.domain)),
      bindMcp: mcp.bind,
    });
    return {
      open: episodes.open,
      check: (start) =>
        leaving === null
          ? episodes.check(start)
          : { code: 'unavailable', message: `no new episodes: the sandbox is ${leaving}` },
    };
  };
  const onEpisodeEnd = (summary: EpisodeSummary): void => {
    metrics.episodeEnded(summary);
    options.onEpisodeEnd?.(summary);
  };
  const tap = tapRecords(recorded.openRecord);
  const agentTimeoutMs = options.openEnv?.agentTimeoutMs ?? DEFAULT_AGENT_TIMEOUT_MS;
  const hosted = createHostedFront({
    makeFactory: ({ limits, speaker }) =>
      makeFactory({
        ...{ ...recorded, openRecord: tap.openRecord, speaker: speaker ?? options.speaker },
        limits: { ...options.limits, ...limits },
      }),
    greet: ({ limits }) =>
      greetingOf({
        ...options,
        limits: { ...options.limits, ...limits },
        websocket: { ...options.websocket, graceMs: 0 },
      }),
    ...{ tap, clock: options.clock, createToken, measure: metrics.measure, log, onEpisodeEnd },
    limits: { ...DEFAULT_WEBSOCKET_LIMITS, ...options.websocket, graceMs: 0 },
    canTranscribe: options.transcriber !== undefined,
  });
  const agents = createWebSocketFront({
    ...{ greeting: greetingOf(options), factory: makeFactory(recorded), log, clock: options.clock },
    limits: { ...DEFAULT_WEBSOCKET_LIMITS, ...options.websocket },
    canTranscribe: options.transcriber !== undefined,
    ownAgents: options.ownAgents ?? false,
    ...{ createToken, measure: metrics.measure, onEpisodeEnd },
  });
  const fronts: readonly Front[] = [
    hosted,
    agents,
    createOpenEnvFront({
      ...{ ...options.openEnv, domain: options.domain, server: serverName, clock: options.clock, tap },
      factory: makeFactory({
        ...recorded,
        openRecord: tap.openRecord,
        limits: { ...options.limits, agentTimeoutMs },
      }),
      ...{ createId: randomUUID, onEpisodeEnd },
      onFault: (what, error) => log({ level: 'error', message: `${what}: ${describeError(error)}` }),
    }),
    mcp,
  ];
  const running = () => fronts.flatMap((front) => front.running());

  const routes: readonly HttpRoute[] = [
    ...healthRoutes({
      ...{ server: serverName, protocol: PROTOCOL_VERSION },
      counts: () => ({ connections: server.sockets.size, episodes: running().length }),
      notReady: () => leaving,
    }),
    metricsRoute(registry),
    clips.route,
    ...(options.rollouts === undefined
      ? []
      : rolloutRoutes({
          ...{ ...options.rollouts, domain: options.domain, speaks: options.speaker !== null },
        })),
    ...fronts.flatMap((front) => front.routes),
  ];
  const server = await startHttpServer({
    ...{ host, port: options.port ?? 0, tls: options.tls, limits: options.http, routes },
    upgrades: fronts.flatMap((front) => front.upgrades),
    admission: {
      tokens: options.tokens ?? [],
      allowedOrigins: options.allowedOrigins ?? [],
      allowedHosts: [host, ...(options.allowedHosts ?? [])],
    },
    onFault: (message) => log({ level: 'error', message }),
    onAnswer: (answer) => {
      metrics.answered(answer);
      options.onHttpAnswer?.(answer);
    },
    onRefusal: metrics.connectionRefused,
    onSocketOpen: metrics.socketOpened,
    onSocketClose: metrics.socketClosed,
  });
  if (options.rollouts !== undefined) addRolloutMetrics(registry, options.rollouts.desk);
  const stopMeasuring = addServerMetrics(registry, {
    ...{ server, serverName, sessions: agents.sessions },
    episodes: () => running().length,
    isReady: () => leaving === null,
  });

  const leave = (reason: string): void => {
    leaving ??= reason;
    server.refuseSockets(reason);
  };
  async function shutDown(): Promise<void> {
    leave('shutting down');
    await options.rollouts?.desk.close();
    await Promise.all(fronts.map((front) => front.shutDown()));
    await server.close();
    stopMeasuring();
  }
  let closing: Promise<void> | null = null;

  return {
    url: `${options.tls === undefined ? 'ws' : 'wss'}://${inUrl(host)}:${server.port}${WEBSOCKET_PATH}`,
    port: server.port,
    paths: routes.map(({ path }) => path),
    seat: (of = {}) => hosted.seat(of),
    settled: async (key) => {
      const wanted = episodeId(key);
      await Promise.all(
        running()
          .filter((episode) => episodeId(episode.key) === wanted)
          .map(({ done }) => done),
      );
    },
    drain: async () => {
      leave('draining');
      await options.rollouts?.desk.drain();
      // A connection may start its next episode while the last one ends.
      for (let left = running(); left.length > 0; left = running())
        await Promise.all(left.map(({ done }) => done));
    },
    close: () => {
      closing ??= shutDown();
      return closing;
    },
  };
}
