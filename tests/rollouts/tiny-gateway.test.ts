import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/shared/index.js';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise<void>((done) => server.close(() => done()));
  return port;
}

/** The example as a user starts it, once it listens. */
async function tinyGateway(): Promise<(path: string, body: string) => Promise<Response>> {
  const port = await freePort();
  const file = resolve(import.meta.dirname, '../../examples/tiny-gateway.js');
  const child = spawn(process.execPath, [file, String(port)], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  const post = (path: string, body: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body });
  while (child.exitCode === null && !(await post('/reward', '{}').catch(() => null)))
    await new Promise<void>((done) => systemClock.after(20, done));
  return post;
}

const PATH = '/v1/chat/completions';
const user = (content: string) => ({ role: 'user', content });

it('the tiny gateway of the docs outlives a body that it cannot read', async () => {
  const post = await tinyGateway();
  for (const body of ['no JSON', '{}', 'null']) expect((await post(PATH, body)).status).toBe(400);
  expect((await post(PATH, JSON.stringify({ messages: [user('a')] }))).status).toBe(200);
});

it('the tiny gateway of the docs serves two rollouts at once, and tells a changed history of either', async () => {
  const post = await tinyGateway();
  const ask = async (messages: object[]) => {
    const answer = await post(PATH, JSON.stringify({ messages }));
    const body = (await answer.json()) as { choices?: { message: object }[] };
    return { status: answer.status, said: body.choices?.[0]?.message ?? {} };
  };
  const [a, b] = [[user('a')], [user('b')]];
  const [toA, toB] = [await ask(a), await ask(b)];
  const [moreA, moreB] = [
    [...a, toA.said, user('y')],
    [...b, toB.said, user('y')],
  ];
  const [nextA, nextB] = [await ask(moreA), await ask(moreB)];
  expect([toA, toB, nextA, nextB].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await ask([user('c'), toA.said, user('y')])).status).toBe(400);
  expect((await ask([...moreA, { role: 'assistant', content: 'else' }, user('z')])).status).toBe(400);
});
