import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOpenAiTranscriber } from '../../../src/models/index.js';
import { systemClock } from '../../../src/shared/index.js';

/** A server that gives these answers one after the other, the last one for ever. */
async function answering(...answers: readonly (readonly [number, string])[]) {
  let asked = 0;
  const server = createServer((request, response) => {
    const [status, body] = answers[Math.min(asked, answers.length - 1)] ?? [500, ''];
    asked += 1;
    request.resume().on('end', () => response.writeHead(status).end(body));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
  const transcriber = createOpenAiTranscriber({ baseUrl, model: 'm', clock: systemClock, retryDelayMs: 1 });
  const transcribe = (signal = new AbortController().signal) =>
    transcriber.transcribe(new Uint8Array(44), signal);
  return { transcribe, asked: () => asked };
}

describe('a transcriber over HTTP', () => {
  it('tries again what may pass, and trims what it gets', async () => {
    const { transcribe, asked } = await answering([503, 'busy'], [429, ''], [200, '{"text":" Hello. "}']);
    expect(await transcribe()).toBe('Hello.');
    expect(asked()).toBe(3);
  });

  it.each([
    ['a refusal', 401, '{"error":"no key"}', /refused the audio \(HTTP 401\): \{"error":"no key"\}/],
    ['no JSON', 200, '<html>', /no transcription: expected \{"text": …\}; got "<html>"/],
    ['another shape', 200, '{"words":[]}', /no transcription/],
    ['an answer without an end', 200, 'x'.repeat(2_000_000), /more than 1048576 bytes/],
  ])('fails on %s and says what came', async (_what, status, body, wanted) => {
    const { transcribe } = await answering([status, body]);
    await expect(transcribe()).rejects.toMatchObject({
      ...{ code: 'transcription-failed', message: expect.stringMatching(wanted) },
    });
  });

  it('gives up when it is told to', async () => {
    const { transcribe, asked } = await answering([200, '{"text":"x"}']);
    await expect(transcribe(AbortSignal.abort())).rejects.toMatchObject({ retryable: false });
    expect(asked()).toBe(0);
  });
});
