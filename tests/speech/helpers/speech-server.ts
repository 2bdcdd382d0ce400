import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { encodeWav, resample } from '../../../src/audio/index.js';
import { createToneSynthesizer, type Voice } from '../../../src/speech/index.js';

export interface SpeechCall {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Record<string, unknown>;
}

export interface LocalSpeechServer {
  readonly baseUrl: string;
  readonly calls: SpeechCall[];
  close(): Promise<void>;
}

type Answer = (call: SpeechCall, response: ServerResponse) => void | Promise<void>;

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>;
}

/** A real server on a free port; the caller closes it. */
export async function openSpeechServer(answer: Answer): Promise<LocalSpeechServer> {
  const calls: SpeechCall[] = [];
  const server: Server = createServer(async (request, response) => {
    const { url: path = '', headers } = request;
    const call = { path, authorization: headers.authorization, body: await readBody(request) };
    calls.push(call);
    await answer(call, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** The same, closed when the running test is over. */
export async function startSpeechServer(answer: Answer): Promise<LocalSpeechServer> {
  const server = await openSpeechServer(answer);
  onTestFinished(() => server.close());
  return server;
}

export const toneVoice: Voice = {
  ...{ id: 'tone', engine: 'tone', engineVoice: 'tone', description: 'tones', licence: 'none' },
  ...{ durationStretch: 1, pitchMeanHz: null },
};

/** What a good server says: tones in the shape of the words, at 24 kHz. */
export async function toneSpeech(body: Readonly<Record<string, unknown>>): Promise<Int16Array> {
  const speed = typeof body.speed === 'number' ? body.speed : 1;
  const { samples, sampleRateHz } = await createToneSynthesizer().synthesize({
    spoken: String(body.input),
    voice: { ...toneVoice, durationStretch: 1 / speed, pitchMeanHz: body.voice === 'high' ? 230 : null },
  });
  return resample(samples, sampleRateHz, 24_000);
}

export const pcmBytes = (samples: Int16Array): Buffer =>
  Buffer.from(encodeWav({ samples, sampleRateHz: 24_000 }).subarray(44));

/** Answers every line properly, as headerless PCM in odd pieces or as WAV, as asked. */
export const answerWell: Answer = async ({ body }, response) => {
  const samples = await toneSpeech(body);
  if (body.response_format === 'wav') {
    response
      .writeHead(200, { 'content-type': 'audio/wav' })
      .end(encodeWav({ samples, sampleRateHz: 24_000 }));
    return;
  }
  response.writeHead(200, { 'content-type': 'audio/pcm' });
  const bytes = pcmBytes(samples);
  for (let at = 0; at < bytes.length; at += 3333) response.write(bytes.subarray(at, at + 3333));
  response.end();
};
