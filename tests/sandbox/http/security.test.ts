import { request } from 'node:https';
import { describe, expect, it } from 'vitest';
import { selfSigned } from '../../helpers/certificate.js';
import { rawClient, rawEpisode, startMessage } from '../helpers/raw-client.js';
import { eventsOf, testSandbox } from '../helpers/sandbox.js';
import { SECRETS } from '../helpers/small-domain.js';

const TOKEN = 'tok-9f86d081884c7d659a2feaa0c55ad015';
const headers = { authorization: `Bearer ${TOKEN}` };

describe('a port with TLS', () => {
  it('serves HTTP and WebSockets to who trusts its certificate, and nobody else', async () => {
    const tls = selfSigned();
    const { sandbox } = await testSandbox({ tls });
    expect(sandbox.url).toMatch(/^wss:/);
    const status = await new Promise<number>((resolve, reject) => {
      request({ port: sandbox.port, host: '127.0.0.1', path: '/health', ca: tls.cert }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(200);
    const client = await rawClient(sandbox.url, { ca: tls.cert });
    client.send(startMessage());
    expect((await client.next('episode.ready')).task).toBe('cancel-lamp');
    await expect(rawClient(sandbox.url)).rejects.toThrow(/self.signed/i);
    await expect(rawClient(sandbox.url.replace('wss', 'ws'))).rejects.toThrow();
  });
});

describe('the clips', () => {
  it('are found by their content hash, with the token, and by nothing else', async () => {
    const { sandbox, records } = await testSandbox({ tokens: [TOKEN] });
    const client = await rawClient(sandbox.url, { headers });
    client.send(startMessage({ mode: 'speech' }));
    await client.next('customer.end');
    const [entry] = [...records.audio];
    if (entry === undefined) throw new Error('nothing was recorded');
    const [sha256, wav] = entry;
    const get = (path: string, init: RequestInit = { headers }) =>
      fetch(`http://127.0.0.1:${sandbox.port}${path}`, init);
    const found = await get(`/v1/audio/${sha256}.wav`);
    expect([found.status, found.headers.get('content-type')]).toEqual([200, 'audio/wav']);
    expect(Buffer.from(await found.arrayBuffer()).equals(wav)).toBe(true);
    expect((await get(`/v1/audio/${sha256}.wav`, {})).status).toBe(401);
    const others = [
      ...[`${sha256}`, `${sha256.toUpperCase()}.wav`, `${'0'.repeat(64)}.wav`, `${sha256}.wav/`],
      ...[
        '..%2f..%2f..%2fetc%2fpasswd',
        `..%2f${sha256}.wav`,
        `${sha256}.wav%00`,
        '%2e%2e/%2e%2e/package.json',
      ],
    ];
    for (const other of others) expect((await get(`/v1/audio/${other}`)).status, other).toBe(404);
  });

  it('are also looked for where records are kept, once the sandbox has let them go', async () => {
    const asked: string[] = [];
    const { sandbox } = await testSandbox({
      readClip: async (sha256) => {
        asked.push(sha256);
        return sha256.startsWith('a') ? Buffer.from('RIFF') : null;
      },
    });
    const get = (file: string) => fetch(`http://127.0.0.1:${sandbox.port}/v1/audio/${file}`);
    expect((await get(`${'a'.repeat(64)}.wav`)).status).toBe(200);
    expect((await get(`${'b'.repeat(64)}.wav`)).status).toBe(404);
    await get('..%2fsecret.wav');
    expect(asked).toEqual(['a'.repeat(64), 'b'.repeat(64)]);
  });
});

describe('what leaves the sandbox', () => {
  it('holds no ground truth on any endpoint, and its token in no answer, log or record', async () => {
    const { sandbox, records, logged } = await testSandbox({ tokens: [TOKEN] });
    const client = await rawClient(sandbox.url, { headers });
    client.send(startMessage({ mode: 'speech', agent: 'probe' }));
    await client.next('customer.end');
    client.send({ type: 'tool.call', callId: 'a', name: 'no_such_tool', arguments: { a: 1 } });
    await client.next('tool.result');
    const paths = ['/', '/health', '/ready', '/metrics', '/tasks', '/v1', '/v1/audio/x', '/openapi.json'];
    const answers: string[] = [];
    for (const path of [...paths, ...sandbox.paths])
      for (const method of ['GET', 'POST', 'DELETE'])
        for (const body of method === 'POST'
          ? ['{}', '{"task":"cancel-lamp","task_id":"cancel-lamp"}']
          : [undefined]) {
          const init = {
            method,
            headers,
            signal: AbortSignal.timeout(5_000),
            ...(body === undefined ? {} : { body }),
          };
          const response = await fetch(`http://127.0.0.1:${sandbox.port}${path}`, init);
          answers.push(JSON.stringify([...response.headers]), await response.text());
        }
    client.send({ type: 'agent.message', text: 'Done, bye' });
    await client.next('episode.end');
    const record = JSON.stringify(eventsOf(records, 'cancel-lamp.speech.t0.s1'));
    const wire = [...answers, Buffer.concat(client.frames).toString('latin1')].join('\n');
    expect(wire).toContain('parlor_turns_total');
    for (const secret of Object.values(SECRETS)) {
      expect(record, 'the record holds what the wire must not').toContain(secret);
      expect(wire).not.toContain(secret);
    }
    for (const place of [wire, record, logged.join('\n')]) expect(place).not.toContain(TOKEN);
  });
});

describe('a sandbox that drains', () => {
  it('is not ready any more, takes nothing new, and lets what runs come to its end', async () => {
    const { sandbox, summaries } = await testSandbox();
    const ready = () => fetch(`http://127.0.0.1:${sandbox.port}/ready`);
    expect((await ready()).status).toBe(200);
    const running = await rawEpisode(sandbox.url);
    const idle = await rawClient(sandbox.url);
    let drained = false;
    const draining = sandbox.drain().then(() => {
      drained = true;
    });
    expect((await ready()).status).toBe(503);
    expect((await fetch(`http://127.0.0.1:${sandbox.port}/health`)).status).toBe(200);
    await expect(rawClient(sandbox.url)).rejects.toThrow(/503/);
    idle.send(startMessage({ trial: 1 }));
    expect(await idle.next('error')).toMatchObject({ code: 'unavailable' });
    expect(drained).toBe(false);
    running.send({ type: 'agent.message', text: 'bye' });
    expect((await running.next('episode.end')).reason).toBe('customer_stop');
    await draining;
    await sandbox.close();
    expect(summaries.map(({ reason }) => reason)).toEqual(['customer_stop']);
  });
});
