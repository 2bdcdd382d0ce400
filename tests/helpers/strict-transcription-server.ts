import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeWav, type Pcm } from '../../src/audio/index.js';

const MAX_BYTES = 25 * 1024 * 1024;

async function formOf(request: IncomingMessage): Promise<FormData> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  return await new Response(Buffer.concat(parts), { headers }).formData();
}

/** Why OpenAI's endpoint would refuse it, or the sound. */
async function check(form: FormData, model: string): Promise<Pcm | string> {
  const file = form.get('file');
  if (!(file instanceof File)) return 'file: expected a file';
  if (!file.name.endsWith('.wav')) return `file: unknown format ${file.name}`;
  if (file.size > MAX_BYTES) return 'file: larger than 25 MB';
  if (form.get('model') !== model) return `model ${String(form.get('model'))} does not exist`;
  if (!['json', null].includes(form.get('response_format') as string | null)) return 'response_format';
  const language = form.get('language');
  if (language !== null && !/^[a-z]{2}$/.test(String(language))) return 'language: expected ISO 639-1';
  const pcm = decodeWav(new Uint8Array(await file.arrayBuffer()));
  return pcm.samples.length < pcm.sampleRateHz / 10 ? 'file: audio is shorter than 0.1 s' : pcm;
}

/** `POST /v1/audio/transcriptions` as OpenAI documents it; what was said is up to `hear`. */
export async function strictTranscriptionServer(options: {
  readonly model: string;
  readonly apiKey: string;
  readonly hear: (speech: Pcm) => string;
}) {
  const refused: string[] = [];
  let heard = 0;
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const refuse = (status: number, message: string) => {
      refused.push(message);
      answer(status, { error: { message, type: 'invalid_request_error' } });
    };
    try {
      if (request.headers.authorization !== `Bearer ${options.apiKey}`) return refuse(401, 'key');
      if (request.method !== 'POST' || request.url !== '/v1/audio/transcriptions') return refuse(404, 'path');
      const speech = await check(await formOf(request), options.model);
      if (typeof speech === 'string') return refuse(400, speech);
      heard += 1;
      return answer(200, { text: options.hear(speech) });
    } catch (error) {
      return refuse(400, String(error));
    }
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    refused,
    heard: () => heard,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
