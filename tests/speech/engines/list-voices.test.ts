import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listServerVoices } from '../../../src/speech/index.js';
import { cli } from '../../helpers/terminal.js';

/** A real server that answers every request so; gives its base URL and what it was asked. */
async function serve(status: number, body: string) {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`.trim());
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked };
}

describe('the voices of a speech server', () => {
  it.each([
    ['names', { voices: ['bella', 'adam'] }, ['adam', 'bella']],
    ['objects', { voices: [{ id: 'af_heart', name: 'Heart' }] }, ['af_heart']],
    ['uploaded ones beside', { voices: ['vivian'], uploaded_voices: [{ name: 'ann' }] }, ['ann', 'vivian']],
    ['a bare list', [{ voice_id: 'one' }, 'two'], ['one', 'two']],
  ])('may be listed as %s', async (_, answer, expected) => {
    const { baseUrl, asked } = await serve(200, JSON.stringify(answer));
    expect(await listServerVoices(`${baseUrl}/`, { apiKey: 'sesame' })).toEqual(expected);
    expect(asked).toEqual(['GET /v1/audio/voices Bearer sesame']);
  });

  it.each([
    ['has no list', 404, '{}', /HTTP 404.*no list, see its documentation/],
    ['sends a page', 200, '<html>hello</html>', /sent no list of voices.*hello/],
    ['sends something else', 200, '{"voices": 7}', /sent no list of voices/],
  ])('are told to be missing by a server that %s', async (_, status, body, message) => {
    const { baseUrl } = await serve(status, body);
    await expect(listServerVoices(baseUrl)).rejects.toMatchObject({
      ...{ code: 'speech-server', message: expect.stringMatching(message) },
    });
  });

  it('are printed by `parlor voices list --server`', async () => {
    const { baseUrl, asked } = await serve(200, '{"voices":["bella","adam"]}');
    const args = ['voices', 'list', '--server', baseUrl];
    expect(await cli(args)).toMatchObject({ exitCode: 0, stdout: 'adam\nbella\n' });
    const env = { TTS_API_KEY: 'sesame' };
    await cli([...args, '--api-key-env', 'TTS_API_KEY'], { env });
    expect(asked[1]).toContain('Bearer sesame');
    const refused = await cli([...args, '--api-key-env', 'HOME'], { env: { HOME: '/x' } });
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('ends in _API_KEY') });
    expect(asked).toHaveLength(2);
  });
});
