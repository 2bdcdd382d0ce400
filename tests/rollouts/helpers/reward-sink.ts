import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface TakenReward {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export interface RewardSink {
  readonly url: (path: string) => string;
  readonly taken: readonly TakenReward[];
  /** The next reward that comes, or one that has come and was not asked for. */
  next(): Promise<TakenReward>;
}

interface SinkAnswer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** @param answer the status of the n-th post, from 0 */
export async function rewardSink(
  answer: (count: number) => SinkAnswer = () => ({ status: 200 }),
): Promise<RewardSink> {
  const taken: TakenReward[] = [];
  const waiting: ((reward: TakenReward) => void)[] = [];
  let asked = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const reward = { path: request.url ?? '', headers: request.headers, body: JSON.parse(text) as unknown };
    const { status, headers = {}, body = '{"status":"ok"}' } = answer(taken.length);
    taken.push(reward);
    response.writeHead(status, headers).end(body);
    waiting.shift()?.(reward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    taken,
    url: (path) => `http://127.0.0.1:${port}${path}`,
    next: () => {
      const here = taken[asked];
      asked += 1;
      return here === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(here);
    },
  };
}
