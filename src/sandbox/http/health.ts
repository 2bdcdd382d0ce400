import { sendJson } from './respond.js';
import type { HttpRoute } from './route.js';

export interface HealthFacts {
  readonly server: string;
  readonly protocol: string;
  counts(): { readonly connections: number; readonly episodes: number };
  /** Why no new episode is taken, or null. */
  notReady(): string | null;
}

/**
 * `GET /health`: the process answers (liveness), whatever else is the matter. Its status is OpenEnv's word.
 * `GET /ready`: new episodes are welcome (readiness), else 503.
 */
export function healthRoutes({ server, protocol, counts, notReady }: HealthFacts): readonly HttpRoute[] {
  return [
    {
      ...{ method: 'GET', path: '/health', auth: 'none' },
      handle: (_request, response) =>
        sendJson(response, { status: 'healthy', server, protocol, ...counts() }),
    },
    {
      ...{ method: 'GET', path: '/ready', auth: 'none' },
      handle: (_request, response) => {
        const reason = notReady();
        if (reason === null) sendJson(response, { status: 'ready' });
        else sendJson(response, { status: 'not ready', reason }, { status: 503 });
      },
    },
  ];
}
