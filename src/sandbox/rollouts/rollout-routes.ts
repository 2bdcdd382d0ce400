import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { RetailDomain } from '../../retail/index.js';
import {
  type CallbackHosts,
  isNestedDeeper,
  isOver,
  modeOf,
  ROLLOUT_STATES,
  type RolloutDesk,
  type RolloutRequest,
  type RolloutView,
  rolloutRequestSchema,
  type WantedRollout,
} from '../../rollouts/index.js';
import { HttpError } from '../http/http-error.js';
import { sendJson } from '../http/respond.js';
import type { HttpRoute, RouteContext } from '../http/route.js';
import { EnvFault } from '../openenv/faults.js';
import { TaskCatalogue } from '../openenv/task-catalogue.js';

/** How the sandbox drives rollouts of a trainer's model (docs/training.md). */
export interface RolloutSettings {
  readonly desk: RolloutDesk;
  readonly hosts: CallbackHosts;
  /** Why lines cannot be heard under these conditions, or null. */
  readonly refuseConditions: (name: string) => string | null;
}

export interface RolloutRouteOptions extends RolloutSettings {
  readonly domain: Pick<RetailDomain, 'tasks'>;
  readonly speaks: boolean;
}

const MOST_WAIT_SECONDS = 60;
const MOST_LISTED = 1000;
/** Of one rollout's body, the body itself included. */
const MOST_LEVELS = 64;
const waitSchema = z.coerce.number().min(0).max(MOST_WAIT_SECONDS).default(0);
const limitSchema = z.coerce.number().int().min(1).max(MOST_LISTED).default(100);
const stateSchema = z.enum(ROLLOUT_STATES).optional();

function readQuery<T>(context: RouteContext, name: string, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(context.query.get(name) ?? undefined);
  if (parsed.success) return parsed.data;
  throw new HttpError(422, `?${name}= does not fit: ${parsed.error.issues[0]?.message ?? 'unreadable'}`);
}

/** One body or several; messages say which one does not fit. */
function parseRollouts(body: unknown): RolloutRequest[] {
  const isBatch = Array.isArray(body);
  const named = typeof body === 'object' && body !== null && 'rollouts' in body ? body : null;
  if (named !== null && Object.keys(named).length > 1)
    throw new HttpError(422, 'the body holds `rollouts` and nothing else, or the fields of one rollout');
  const list: unknown = named === null ? (isBatch ? body : [body]) : named.rollouts;
  if (!Array.isArray(list) || list.length === 0)
    throw new HttpError(422, '`rollouts` is a list of at least one rollout');
  return list.map((item: unknown, index) => {
    if (isNestedDeeper(item, MOST_LEVELS))
      throw new HttpError(422, `a rollout is nested at most ${MOST_LEVELS} levels deep; look at extra_body`);
    const parsed = rolloutRequestSchema.safeParse(item);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    const place = [...(list.length === 1 ? [] : [`rollouts.${index}`]), ...(issue?.path ?? [])].join('.');
    throw new HttpError(422, `the body does not fit${place === '' ? '' : ` at ${place}`}: ${issue?.message}`);
  });
}

/** `POST /v1/rollouts`, and what became of them. */
export function rolloutRoutes(options: RolloutRouteOptions): readonly HttpRoute[] {
  const { desk, hosts, refuseConditions, domain, speaks } = options;
  const catalogue = new TaskCatalogue(domain.tasks);
  const evaluation = new Set(catalogue.entries('test')?.map(({ id }) => id));

  /** Training on what one is later measured by goes unseen, unless somebody says so. */
  function told(view: RolloutView): RolloutView & { readonly warning?: string } {
    if (!evaluation.has(view.task)) return view;
    const warning = `${view.task} is an evaluation task (split "test"): do not train on it; serve tasks of parlor tasks generate with --data`;
    return { ...view, warning };
  }

  function check(request: RolloutRequest): WantedRollout {
    const refusedUrl = [request.base_url, request.reward_url]
      .map((url) => (url === undefined ? null : hosts.refuse(url)))
      .find((refusal) => refusal !== null);
    if (refusedUrl !== undefined && refusedUrl !== null) throw new HttpError(403, refusedUrl);
    if (modeOf(request) === 'speech' && !speaks)
      throw new HttpError(422, 'this sandbox has no voice; post the rollout with mode "t-only"');
    const { conditions } = request;
    if (conditions !== undefined) {
      if (modeOf(request) === 'text')
        throw new HttpError(422, 'conditions are those of a voice: give mode "s&t"');
      const refusal = refuseConditions(conditions);
      if (refusal !== null) throw new HttpError(422, refusal);
    }
    return { request, task: taskOf(request) };
  }

  function taskOf({ task, seed }: RolloutRequest): string {
    const wish = typeof task === 'string' ? { taskId: task } : 'id' in task ? { taskId: task.id } : task;
    try {
      return catalogue.choose({ ...wish, seed }).id;
    } catch (error) {
      if (error instanceof EnvFault) throw new HttpError(422, error.message);
      throw error;
    }
  }

  async function post(response: ServerResponse, context: RouteContext): Promise<void> {
    const waitSeconds = readQuery(context, 'wait', waitSchema);
    const body = await context.readJson(z.unknown());
    const submitted = desk.submit(parseRollouts(body).map(check));
    if (!submitted.ok) {
      const { status, message, retryAfterSeconds } = submitted;
      const headers: Record<string, string> =
        retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
      throw new HttpError(status, message, headers);
    }
    const ids = submitted.rollouts.map(({ rollout_id }) => rollout_id);
    const views = await Promise.all(ids.map((id) => desk.wait(id, waitSeconds * 1000, context.signal)));
    const rollouts = views.filter((view) => view !== null).map(told);
    const isSingle = typeof body === 'object' && body !== null && 'task' in body;
    const status = rollouts.every(({ state }) => isOver(state)) ? 200 : 202;
    sendJson(response, isSingle ? rollouts[0] : { rollouts }, { status });
  }

  async function get(response: ServerResponse, context: RouteContext): Promise<void> {
    const id = context.params.id ?? '';
    const view = await desk.wait(id, readQuery(context, 'wait', waitSchema) * 1000, context.signal);
    if (view === null) throw unknown(id);
    const wantsTokens = context.query.get('include') === 'generations';
    sendJson(response, wantsTokens ? { ...told(view), generations: desk.generations(id) } : told(view));
  }

  function list(response: ServerResponse, context: RouteContext): void {
    const found = desk.list(readQuery(context, 'state', stateSchema) ?? null);
    const group = context.query.get('group_id');
    const wanted = group === null ? found : found.filter(({ group_id }) => group_id === group);
    // The newest are those that a trainer asks about.
    const rollouts = wanted.slice(-readQuery(context, 'limit', limitSchema)).map(told);
    sendJson(response, { rollouts, total: wanted.length, counts: desk.counts });
  }

  function cancel(response: ServerResponse, context: RouteContext): void {
    const id = context.params.id ?? '';
    const view = desk.cancel(id);
    if (view === null) throw unknown(id);
    sendJson(response, told(view), { status: isOver(view.state) ? 200 : 202 });
  }

  const route = (
    method: HttpRoute['method'],
    path: string,
    handle: (response: ServerResponse, context: RouteContext) => void | Promise<void>,
  ): HttpRoute => ({
    ...{ method, path, auth: 'token' },
    handle: (_request: IncomingMessage, response, context) => handle(response, context),
  });
  return [
    route('POST', '/v1/rollouts', post),
    route('GET', '/v1/rollouts', list),
    route('GET', '/v1/rollouts/:id', get),
    route('DELETE', '/v1/rollouts/:id', cancel),
  ];
}

function unknown(id: string): HttpError {
  return new HttpError(404, `no rollout ${JSON.stringify(id.slice(0, 200))}; old ones are forgotten`);
}
