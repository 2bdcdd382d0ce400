import type { RetailDomain } from '../../retail/index.js';
import type { Clock } from '../../shared/index.js';
import type { EpisodeFactory } from '../episode-factory.js';
import type { Front } from '../front.js';
import { sendJson } from '../http/respond.js';
import type { HttpRoute } from '../http/route.js';
import type { EpisodeSummary } from '../options.js';
import { environmentMetadata, envTools, openApi, schemas } from './descriptions.js';
import type { EnvParts } from './env-parts.js';
import { EnvSessions } from './env-sessions.js';
import { jsonRoute } from './http-answers.js';
import { answerRpc, parseErrorReply } from './json-rpc.js';
import { originOf } from './origin.js';
import type { RecordTap } from './record-tap.js';
import { simulationRoutes } from './simulation-routes.js';
import { socketRoutes } from './sockets.js';
import { TaskCatalogue } from './task-catalogue.js';
import { taskRoutes } from './task-routes.js';
import type { RateTurns } from './turn-rewards.js';

export interface OpenEnvSettings {
  /** `production` has no HTTP reset, step and state. Default simulation. */
  readonly mode?: 'simulation' | 'production' | undefined;
  /** Environments at once. Default 512. */
  readonly maxSessions?: number | undefined;
  /** A session that nobody used for so long is closed. Default half an hour. */
  readonly idleMs?: number | undefined;
  /** Silence of the agent before an episode ends; trainers take long breaks. Default a quarter of an hour. */
  readonly agentTimeoutMs?: number | undefined;
  /** Turn rewards for the terminal metadata and for `reward_mode: "dense"`. Default: none. */
  readonly rateTurns?: RateTurns | undefined;
}

export const DEFAULT_AGENT_TIMEOUT_MS = 15 * 60_000;
const DEFAULT_IDLE_MS = 30 * 60_000;
const DEFAULT_MAX_SESSIONS = 512;

export interface OpenEnvOptions extends OpenEnvSettings {
  readonly domain: Pick<RetailDomain, 'tasks' | 'tools'>;
  readonly server: string;
  readonly factory: EpisodeFactory;
  /** Of the factory's records. */
  readonly tap: RecordTap;
  readonly clock: Clock;
  readonly createId: () => string;
  readonly onEpisodeEnd: (summary: EpisodeSummary) => void;
  readonly onFault: (what: string, error: unknown) => void;
}

function mcpRoute(sessions: EnvSessions, parts: EnvParts): HttpRoute {
  return {
    ...{ method: 'POST', path: '/mcp', auth: 'token' },
    handle: async (request, response, context) => {
      const text = (await context.readBody()).toString('utf8');
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        sendJson(response, parseErrorReply());
        return;
      }
      const { tools } = parts;
      sendJson(response, await answerRpc(value, { sessions, tools, own: null, origin: originOf(request) }));
    },
  };
}

/** The dialect of OpenEnv (docs/openenv.md): trainers connect with its stock client. */
export function createOpenEnvFront(options: OpenEnvOptions): Front {
  const { domain, clock, createId, factory, tap, onEpisodeEnd, onFault, mode = 'simulation' } = options;
  const tools = envTools(domain.tools);
  const parts: EnvParts = {
    ...{
      factory,
      tap,
      onEpisodeEnd,
      onFault,
      tools,
      toolNames: new Set(domain.tools.map(({ name }) => name)),
    },
    catalogue: new TaskCatalogue(domain.tasks),
    rateTurns: options.rateTurns ?? null,
  };
  const sessions = new EnvSessions({
    ...{ parts, clock, createId },
    maxSessions: options.maxSessions ?? DEFAULT_MAX_SESSIONS,
    idleMs: options.idleMs ?? DEFAULT_IDLE_MS,
  });
  return {
    routes: [
      jsonRoute({ method: 'GET', path: '/metadata' }, () => environmentMetadata(options.server)),
      jsonRoute({ method: 'GET', path: '/schema' }, schemas),
      jsonRoute({ method: 'GET', path: '/openapi.json' }, () => openApi(mode)),
      mcpRoute(sessions, parts),
      ...(mode === 'simulation' ? simulationRoutes(sessions) : []),
      ...taskRoutes(parts.catalogue),
    ],
    upgrades: socketRoutes({ parts, sessions }),
    running: () => sessions.running(),
    shutDown: () => sessions.shutDown(),
  };
}
