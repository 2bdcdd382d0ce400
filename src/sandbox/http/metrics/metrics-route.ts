import { sendBytes } from '../respond.js';
import type { HttpRoute } from '../route.js';
import type { MetricRegistry } from './registry.js';

/** `GET /metrics`, for a Prometheus server. It needs the token: names of tools and counts are nobody else's business. */
export function metricsRoute(registry: MetricRegistry): HttpRoute {
  return {
    ...{ method: 'GET', path: '/metrics', auth: 'token' },
    handle: (_request, response) =>
      sendBytes(response, registry.text(), {
        headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
      }),
  };
}
