import { z } from 'zod';
import type { HttpRoute } from '../http/route.js';
import { actionSchema } from './action.js';
import type { EnvSession } from './env-session.js';
import type { EnvSessions } from './env-sessions.js';
import { EnvFault } from './faults.js';
import { DetailError, jsonRoute, readInput } from './http-answers.js';
import { originOf } from './origin.js';

const sessionId = z.string().max(200).nullish();
const resetBody = z.looseObject({ session_id: sessionId });
const stepBody = z.looseObject({
  action: actionSchema,
  session_id: sessionId,
  timeout_s: z.number().gt(0).nullish(),
  request_id: z.string().max(255).nullish(),
});

const NO_EPISODE = { episode_id: null, step_count: 0 };

/**
 * `/reset`, `/step` and `/state` over HTTP. OpenEnv's own server forgets the environment after each request; here a
 * reset opens a session and names it in `metadata.session_id`, and a request with that `session_id` goes on in it.
 */
export function simulationRoutes(sessions: EnvSessions): HttpRoute[] {
  function find(id: string): EnvSession {
    const session = sessions.use(id);
    if (session === null) throw new EnvFault('SESSION_ERROR', `Unknown session_id: ${id}`);
    return session;
  }
  return [
    jsonRoute({ method: 'POST', path: '/reset' }, async (context, request) => {
      const { session_id: id, ...wish } = await readInput(context, resetBody);
      if (id != null) return find(id).reset(wish);
      const session = sessions.create(originOf(request));
      try {
        return await session.reset(wish);
      } catch (error) {
        sessions.remove(session.id);
        throw error;
      }
    }),
    jsonRoute({ method: 'POST', path: '/step' }, async (context) => {
      const { action, session_id: id } = await readInput(context, stepBody);
      if (id == null)
        throw new DetailError(400, 'give session_id, as POST /reset named it in metadata.session_id');
      return find(id).step(action);
    }),
    jsonRoute({ method: 'GET', path: '/state' }, ({ query }) => {
      const id = query.get('session_id');
      return id === null ? NO_EPISODE : find(id).state();
    }),
  ];
}
