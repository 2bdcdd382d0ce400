import { z } from 'zod';
import type { HttpRoute, RouteContext } from '../http/route.js';
import { DetailError, jsonRoute, readInput } from './http-answers.js';
import { ENVIRONMENT, type TaskCatalogue, type TaskEntry } from './task-catalogue.js';

const split = z.string().max(200);
const index = z.number().int();
const splitSchema = z.strictObject({ split });
const taskSchema = z.strictObject({ split, index });
const rangeSchema = z.strictObject({ split, start: index.nullish(), stop: index.nullish() });

/** The task routes that OpenEnv and ORS share: which tasks there are, by split and place, and nothing about them. */
export function taskRoutes(catalogue: TaskCatalogue): HttpRoute[] {
  function checkEnvironment({ params }: RouteContext): void {
    const name = params.env ?? '';
    if (name.toLowerCase() !== ENVIRONMENT) throw new DetailError(404, `unknown environment '${name}'`);
  }
  function entriesOf(name: string): TaskEntry[] {
    const entries = catalogue.entries(name);
    if (entries !== null) return entries;
    const known = catalogue.splits().map((each) => each.name);
    throw new DetailError(400, `unknown split '${name}'; there are ${known.join(', ')}`);
  }
  const post = (path: string, answer: (context: RouteContext) => Promise<unknown>): HttpRoute =>
    jsonRoute({ method: 'POST', path }, (context) => {
      checkEnvironment(context);
      return answer(context);
    });

  return [
    jsonRoute({ method: 'GET', path: '/list_environments' }, () => [ENVIRONMENT]),
    jsonRoute({ method: 'GET', path: '/:env/splits' }, (context) => {
      checkEnvironment(context);
      return catalogue.splits();
    }),
    post('/:env/tasks', async (context) => {
      const wish = await readInput(context, splitSchema);
      return { tasks: entriesOf(wish.split), env_name: ENVIRONMENT };
    }),
    post('/:env/num_tasks', async (context) => {
      const wish = await readInput(context, splitSchema);
      return { num_tasks: entriesOf(wish.split).length };
    }),
    post('/:env/task', async (context) => {
      const wish = await readInput(context, taskSchema);
      const task = wish.index < 0 ? undefined : entriesOf(wish.split)[wish.index];
      if (task === undefined) throw new DetailError(400, 'Invalid task index');
      return { task };
    }),
    post('/:env/task_range', async (context) => {
      const wish = await readInput(context, rangeSchema);
      const entries = entriesOf(wish.split);
      return { tasks: entries.slice(wish.start ?? 0, wish.stop ?? entries.length) };
    }),
  ];
}
